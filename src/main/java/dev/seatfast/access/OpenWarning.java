package dev.seatfast.access;

import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Says it once if a production service lets everybody in. */
@ApplicationScoped
class OpenWarning {

  private static final Logger LOG = Logger.getLogger(OpenWarning.class);

  void warn(
      @Observes StartupEvent event,
      AccessConfig config,
      @ConfigProperty(name = "quarkus.http.host-enabled", defaultValue = "true") boolean serving) {
    if (serving && config.access().isOpen() && LaunchMode.current() == LaunchMode.NORMAL) {
      LOG.warn(
          "seatfast.access is open: every client that reaches this service may reserve and cancel");
    }
  }
}

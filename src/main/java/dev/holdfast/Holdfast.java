package dev.holdfast;

import dev.holdfast.namespace.MigrationMode;
import dev.holdfast.platform.EmbeddedDatabaseException;
import dev.holdfast.platform.EmbeddedDatabaseLifecycle;
import io.quarkus.runtime.ApplicationLifecycleManager;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.runtime.util.ExceptionUtil;
import java.util.NoSuchElementException;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.logging.Logger;

/**
 * Starts the service. Exit codes: 0 after a stop or a finished migration, 1 if the start failed, 2
 * if a setting can't be or names no database that can be used.
 */
@QuarkusMain
public class Holdfast {

  private static final Logger LOG = Logger.getLogger(Holdfast.class);

  private static final int CONFIGURATION_FAULT = 2;

  public static void main(String... args) {
    boolean migrateOnly = false;
    try {
      Config config = ConfigProvider.getConfig();
      migrateOnly =
          config
              .getOptionalValue("holdfast.migrate", MigrationMode.class)
              .filter(MigrationMode.ONLY::equals)
              .isPresent();
      if (migrateOnly) {
        System.setProperty("quarkus.http.host-enabled", "false");
      }
      EmbeddedDatabaseLifecycle.prepare(config);
    } catch (EmbeddedDatabaseException | IllegalArgumentException | NoSuchElementException e) {
      System.err.println("holdfast: " + e.getMessage());
      System.exit(CONFIGURATION_FAULT);
    }
    Quarkus.run(migrateOnly ? MigrateOnly.class : null, Holdfast::exit, args);
  }

  private static void exit(int code, Throwable fault) {
    if (fault != null) {
      Throwable cause = ExceptionUtil.getRootCause(fault);
      LOG.errorf("The service did not start: %s", cause == null ? fault : cause);
      LOG.debug("Where it failed", fault);
    }
    EmbeddedDatabaseLifecycle.stop();
    ApplicationLifecycleManager.getDefaultExitCodeHandler().accept(code, fault);
  }

  /** Has nothing left to do once the application has started, because that migrated. */
  public static class MigrateOnly implements QuarkusApplication {
    @Override
    public int run(String... args) {
      return 0;
    }
  }
}

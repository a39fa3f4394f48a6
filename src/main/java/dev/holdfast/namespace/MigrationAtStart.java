package dev.holdfast.namespace;

import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.flywaydb.core.Flyway;
import org.jboss.logging.Logger;

/** Migrates when the service starts, if that is wanted. */
@Singleton
class MigrationAtStart {

  private static final Logger LOG = Logger.getLogger(MigrationAtStart.class);
  private static final int FIRST = 100;

  private final Flyway flyway;
  private final NamespaceConfig config;

  MigrationAtStart(Flyway flyway, NamespaceConfig config) {
    this.flyway = flyway;
    this.config = config;
  }

  void migrate(@Observes @Priority(FIRST) StartupEvent event) {
    MigrationMode byDefault =
        config.embeddedDatabase() ? MigrationMode.AT_START : MigrationMode.NEVER;
    switch (config.migrate().orElse(byDefault)) {
      case AT_START, ONLY -> new Migrator(flyway).run();
      case NEVER -> LOG.debug("The schema is migrated by somebody else");
    }
  }
}

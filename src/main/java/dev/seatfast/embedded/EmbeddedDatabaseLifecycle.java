package dev.seatfast.embedded;

import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;

/**
 * Chooses the database before the application starts: the one that the configuration names, or the
 * embedded one where that is wanted.
 */
@Singleton
public class EmbeddedDatabaseLifecycle {

  private static final Logger LOG = Logger.getLogger(EmbeddedDatabaseLifecycle.class);

  private static final String URL = "quarkus.datasource.jdbc.url";
  private static final String USERNAME = "quarkus.datasource.username";
  private static final String PASSWORD = "quarkus.datasource.password";
  private static final int LAST = Integer.MAX_VALUE;

  /**
   * Static because it comes before the container of the beans, whose data source needs its address.
   */
  private static final AtomicReference<EmbeddedDatabase> RUNNING = new AtomicReference<>();

  /**
   * Starts the embedded database if the configuration names none and allows it.
   *
   * @throws EmbeddedDatabaseException if there would be no database at all
   */
  public static void prepare(Config config) {
    if (config.getOptionalValue(URL, String.class).isPresent()) {
      return;
    }
    if (!config.getOptionalValue("seatfast.embedded-database", Boolean.class).orElse(false)) {
      throw new EmbeddedDatabaseException(
          "No database. Set quarkus.datasource.jdbc.url (environment: QUARKUS_DATASOURCE_JDBC_URL)"
              + " to a PostgreSQL, or opt in to the embedded one with"
              + " seatfast.embedded-database=true (environment: SEATFAST_EMBEDDED_DATABASE).");
    }
    Path folder =
        config
            .getOptionalValue("seatfast.embedded-database-dir", Path.class)
            .orElse(Path.of(System.getProperty("user.home"), ".seatfast", "postgres"));
    int port = config.getOptionalValue("seatfast.embedded-database-port", Integer.class).orElse(0);
    EmbeddedDatabase database = EmbeddedDatabase.start(folder, port);
    RUNNING.set(database);
    System.setProperty(URL, database.jdbcUrl());
    System.setProperty(USERNAME, database.user());
    System.setProperty(PASSWORD, database.password());
  }

  /** Stops the embedded database if one runs; also for a start that failed half way. */
  public static void stop() {
    Optional.ofNullable(RUNNING.getAndSet(null))
        .ifPresent(
            database -> {
              database.close();
              System.clearProperty(URL);
              System.clearProperty(USERNAME);
              System.clearProperty(PASSWORD);
            });
  }

  private final EmbeddedDatabaseConfig config;

  EmbeddedDatabaseLifecycle(EmbeddedDatabaseConfig config) {
    this.config = config;
  }

  void onStart(@Observes StartupEvent event) {
    if (config.embeddedDatabase() && LaunchMode.current() == LaunchMode.NORMAL) {
      LOG.warn("The embedded database is for trying Seatfast out: one machine, and no backup");
    }
  }

  void onShutdown(@Observes @Priority(LAST) ShutdownEvent event) {
    stop();
  }
}

package dev.seatfast.embedded;

import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;

/** Runs the embedded database for as long as the application runs, and a little longer. */
@Singleton
public class EmbeddedDatabaseLifecycle {

  private static final Logger LOG = Logger.getLogger(EmbeddedDatabaseLifecycle.class);

  private static final int LAST = Integer.MAX_VALUE;

  /**
   * Static because it comes before the container of the beans, whose data source needs its address.
   */
  private static final AtomicReference<EmbeddedDatabase> RUNNING = new AtomicReference<>();

  /**
   * Starts the embedded database.
   *
   * @throws EmbeddedDatabaseException if it does not start
   */
  public static EmbeddedDatabase start(EmbeddedDatabaseConfig config) {
    EmbeddedDatabase database =
        EmbeddedDatabase.start(config.embeddedDatabaseDir(), config.embeddedDatabasePort());
    RUNNING.set(database);
    return database;
  }

  /** Stops the embedded database if one runs; also for a start that failed half way. */
  public static void stop() {
    Optional.ofNullable(RUNNING.getAndSet(null)).ifPresent(EmbeddedDatabase::close);
  }

  void onStart(@Observes StartupEvent event) {
    if (RUNNING.get() != null && LaunchMode.current() == LaunchMode.NORMAL) {
      LOG.warn("The embedded database is for trying Seatfast out: one machine, and no backup");
    }
  }

  void onShutdown(@Observes @Priority(LAST) ShutdownEvent event) {
    stop();
  }
}

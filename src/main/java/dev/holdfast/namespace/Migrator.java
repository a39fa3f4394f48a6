package dev.holdfast.namespace;

import io.quarkus.runtime.util.ExceptionUtil;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jboss.logging.Logger;

/**
 * Brings the namespace's schema to this version. It never resets anything: any number of processes
 * may do it at once, over an empty database or one full of reservations.
 */
public final class Migrator {

  private static final Logger LOG = Logger.getLogger(Migrator.class);

  /**
   * Flyway takes turns by a lock, but making the schema and the table that the lock is about can
   * still collide, once per contender at worst.
   */
  private static final int ATTEMPTS_MAX = 10;

  private static final int RETRY_PAUSE_MS_MAX = 500;

  private final Flyway flyway;

  public Migrator(Flyway flyway) {
    this.flyway = flyway;
  }

  /**
   * Migrates; a schema that is up to date is left as it is.
   *
   * @throws FlywayException if it can't be done
   */
  public void run() {
    for (int attempt = 1; ; attempt++) {
      try {
        flyway.migrate();
        return;
      } catch (FlywayException e) {
        if (attempt == ATTEMPTS_MAX || !(ExceptionUtil.getRootCause(e) instanceof SQLException)) {
          throw e;
        }
        LOG.infof("Migrating again, after: %s", e.getMessage().lines().findFirst().orElse(""));
        pause();
      }
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(1, RETRY_PAUSE_MS_MAX));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while migrating", e);
    }
  }
}

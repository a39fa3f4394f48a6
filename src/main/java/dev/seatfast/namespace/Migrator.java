package dev.seatfast.namespace;

import java.sql.SQLException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * Brings the namespace's schema to this version. It never resets anything: any number of processes
 * may do it at once, over an empty database or one full of reservations.
 */
public final class Migrator {

  private final Flyway flyway;

  public Migrator(Flyway flyway) {
    this.flyway = flyway;
  }

  /**
   * Migrates; a schema that is up to date is left as it is.
   *
   * @throws SQLException if the database does not let it, or does not answer
   * @throws FlywayException if what is there can't be migrated
   */
  public void run() throws SQLException {
    // Flyway takes turns by a lock, but making the schema and the table that the lock is about can
    // still collide.
    Retries.run("Migrating", this::migrate);
  }

  private void migrate() throws SQLException {
    try {
      flyway.migrate();
    } catch (FlywayException e) {
      SQLException cause = innermost(e);
      if (cause != null) {
        throw cause;
      }
      throw e;
    }
  }

  /** What the driver said, which may itself have a cause: that the network failed, for example. */
  private static SQLException innermost(FlywayException e) {
    SQLException innermost = null;
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        innermost = sql;
      }
    }
    return innermost;
  }
}

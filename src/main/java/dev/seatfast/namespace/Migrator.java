package dev.seatfast.namespace;

import dev.seatfast.database.Retries;
import dev.seatfast.database.SqlStates;
import java.sql.SQLException;
import java.time.Duration;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jboss.logging.Logger;

/**
 * Brings the namespace's schema to this version. It never resets anything: any number of processes
 * may do it at once, over an empty database or one full of reservations.
 */
public final class Migrator {

  /**
   * Once per contender at worst: Flyway takes turns by a lock, but making the schema and the table
   * that the lock is about can still collide.
   */
  static final Retries COLLISIONS =
      new Retries(10, Duration.ofMillis(500), Migrator::mayPass, Logger.Level.INFO);

  private final Flyway flyway;

  public Migrator(Flyway flyway) {
    this.flyway = flyway;
  }

  /**
   * Migrates; a schema that is up to date is left as it is.
   *
   * @return how many migrations it took
   * @throws SQLException if the database does not let it, or does not answer
   * @throws FlywayException if the schema cannot be migrated
   */
  public int run() throws SQLException {
    return COLLISIONS.run("Migrating", this::migrate);
  }

  private int migrate() throws SQLException {
    try {
      return flyway.migrate().migrationsExecuted;
    } catch (FlywayException e) {
      SQLException cause = innermost(e);
      if (cause != null) {
        throw cause;
      }
      throw e;
    }
  }

  /** Returns what the driver said, which may itself have a cause: that the network failed. */
  private static SQLException innermost(FlywayException e) {
    SQLException innermost = null;
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        innermost = sql;
      }
    }
    return innermost;
  }

  private static boolean mayPass(SQLException e) {
    return !SqlStates.refusesUs(e)
        && !SqlStates.unreachable(e)
        && !SqlStates.forbidden(e)
        && !SqlStates.readOnly(e)
        && !SqlStates.stillNeeded(e)
        && !SqlStates.completionUnknown(e);
  }
}

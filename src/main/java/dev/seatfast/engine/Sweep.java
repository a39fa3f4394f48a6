package dev.seatfast.engine;

import dev.seatfast.database.Database;
import jakarta.inject.Singleton;

/**
 * Marks holds whose time has passed and returns their seats to the counters. Nothing depends on it:
 * decisions see for themselves what has expired. It only keeps the rows tidy, and brings the events
 * of holds that nobody asks about any more.
 */
@Singleton
public class Sweep {

  /** Small enough that no decision waits long for a pool that a batch has locked. */
  private static final int HOLDS_PER_BATCH_MAX = 500;

  private final Database database;
  private final EngineConfig config;

  Sweep(Database database, EngineConfig config) {
    this.database = database;
    this.config = config;
  }

  /**
   * What one batch did.
   *
   * @param found the expired holds that it saw
   * @param seats the seats that it gave back; fewer if other transactions had their pools
   */
  public record Batch(int found, int seats) {

    /** Whether more may be left that this one could not take. */
    public boolean full() {
      return found == HOLDS_PER_BATCH_MAX && seats > 0;
    }
  }

  /**
   * Sweeps one batch in one transaction. Pools that others have locked are left for the next time,
   * so any number of sweeps may run at once, and none makes a decision wait for a lock in a circle.
   */
  public Batch runBatch() {
    return database.one(
        """
        WITH expired AS (
            SELECT a.pool_key
              FROM {schema}.reservation_attempt a
             WHERE a.state = 'HELD' AND a.expires_at <= clock_timestamp()
             ORDER BY a.expires_at
             LIMIT ?
        ), mine AS MATERIALIZED (
            SELECT p.pool_key
              FROM {schema}.seat_pool p
             WHERE p.pool_key IN (SELECT e.pool_key FROM expired e)
             ORDER BY p.pool_key
               FOR UPDATE SKIP LOCKED
        )
        SELECT (SELECT count(*) FROM expired) AS found,
               (SELECT coalesce(sum({schema}.expire_holds(m.pool_key, clock_timestamp(), ?, ?)), 0)
                  FROM mine m) AS seats
        """,
        parameters ->
            parameters
                .add(HOLDS_PER_BATCH_MAX)
                .add(HOLDS_PER_BATCH_MAX)
                .add(config.events().enabled()),
        row -> new Batch(row.getInt("found"), row.getInt("seats")));
  }
}

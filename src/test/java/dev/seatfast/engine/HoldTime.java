package dev.seatfast.engine;

import dev.seatfast.database.Database;
import dev.seatfast.database.RowMapper;
import java.time.Duration;
import java.time.Instant;

/** Moves the ends of holds instead of waiting for them. */
final class HoldTime {

  private HoldTime() {}

  /** Makes all holds of a pool end a moment ago. */
  static void letPass(Database database, PoolKey pool) {
    endIn(database, pool, Duration.ofMillis(-1));
  }

  /** Makes all holds of a pool end after some time from now, and returns when that is. */
  static Instant endIn(Database database, PoolKey pool, Duration time) {
    return database.one(
        """
        WITH the_end AS (
            SELECT date_trunc('milliseconds', clock_timestamp() + make_interval(secs => ?)) AS at
        ), holds AS (
            UPDATE {schema}.reservation_attempt SET expires_at = (SELECT at FROM the_end)
             WHERE state = 'HELD' AND pool_key = ?
        ), pool AS (
            UPDATE {schema}.seat_pool SET next_expiry = (SELECT at FROM the_end)
             WHERE pool_key = ?
        )
        SELECT at FROM the_end
        """,
        parameters -> parameters.add(time).add(pool.value()).add(pool.value()),
        row -> RowMapper.instant(row, "at"));
  }
}

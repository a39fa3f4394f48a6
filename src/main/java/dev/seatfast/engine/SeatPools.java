package dev.seatfast.engine;

import dev.seatfast.database.Database;
import jakarta.inject.Singleton;

/** The pools' own rows, in SQL. */
@Singleton
public class SeatPools {

  /** As many as the database's constraint allows. */
  public static final int CAPACITY_MAX = 1_000_000_000;

  private final Database database;
  private final EngineConfig config;

  SeatPools(Database database, EngineConfig config) {
    this.database = database;
    this.config = config;
  }

  /**
   * Reads a pool's counts, all from one instant. It costs the same however many attempts the pool
   * has had; a pool that nobody used yet shows the default capacity and is not created.
   */
  PoolStatus status(PoolKey pool) {
    return database.one(
        """
        SELECT coalesce(p.capacity, k.default_capacity) AS capacity,
               coalesce(p.reserved, 0)
                 - (SELECT coalesce(sum(h.seats), 0)
                      FROM {schema}.reservation_attempt h
                     WHERE h.pool_key = k.pool_key AND h.state = 'HELD'
                       AND h.expires_at <= clock_timestamp()) AS reserved,
               coalesce(p.confirmed_requests, 0) AS confirmed_requests,
               coalesce(p.confirmed_seats, 0) AS confirmed_seats,
               (SELECT coalesce(sum(t.rejected), 0)
                  FROM {schema}.rejection_tally t WHERE t.pool_key = k.pool_key) AS rejected_requests
          FROM (VALUES (?::text COLLATE "C", ?::integer)) AS k (pool_key, default_capacity)
          LEFT JOIN {schema}.seat_pool p ON p.pool_key = k.pool_key
        """,
        parameters -> parameters.add(pool.value()).add(config.defaultCapacity()),
        row ->
            new PoolStatus(
                row.getInt("capacity"),
                row.getInt("reserved"),
                row.getLong("confirmed_requests"),
                row.getLong("rejected_requests"),
                row.getInt("confirmed_seats")));
  }

  /**
   * Sets a pool's capacity, and makes the pool if nobody used it yet. Decisions that were made stay
   * as they are.
   *
   * @param capacity 0 to {@value #CAPACITY_MAX}
   * @return false, with nothing changed, if more seats are taken than that
   */
  public boolean setCapacity(PoolKey pool, int capacity) {
    return database.update(
            """
            INSERT INTO {schema}.seat_pool AS p (pool_key, capacity) VALUES (?, ?)
            ON CONFLICT (pool_key) DO UPDATE SET capacity = EXCLUDED.capacity
         WHERE p.reserved <= EXCLUDED.capacity
        """,
            parameters -> parameters.add(pool.value()).add(capacity))
        == 1;
  }
}

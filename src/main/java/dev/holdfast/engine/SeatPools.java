package dev.holdfast.engine;

import jakarta.inject.Singleton;
import java.sql.ResultSet;

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
    return database.inOneStatement(
        """
        SELECT coalesce(p.capacity, k.default_capacity) AS capacity,
               coalesce(p.reserved, 0)
                 - (SELECT coalesce(sum(h.seats), 0)
                      FROM %s.reservation_attempt h
                     WHERE h.pool_key = k.pool_key AND h.state = 'HELD'
                       AND h.expires_at <= clock_timestamp()) AS reserved,
               coalesce(p.confirmed_requests, 0) AS confirmed_requests,
               coalesce(p.confirmed_seats, 0) AS confirmed_seats,
               (SELECT coalesce(sum(t.rejected), 0)
                  FROM %s.rejection_tally t WHERE t.pool_key = k.pool_key) AS rejected_requests
          FROM (VALUES (?::text COLLATE "C", ?::integer)) AS k (pool_key, default_capacity)
          LEFT JOIN %s.seat_pool p ON p.pool_key = k.pool_key
        """,
        (connection, statement) -> {
          statement.setString(1, pool.value());
          statement.setInt(2, config.defaultCapacity());
          try (ResultSet row = statement.executeQuery()) {
            row.next();
            return new PoolStatus(
                row.getInt("capacity"),
                row.getInt("reserved"),
                row.getLong("confirmed_requests"),
                row.getLong("rejected_requests"),
                row.getInt("confirmed_seats"));
          }
        });
  }

  /**
   * Sets a pool's capacity, and makes the pool if nobody used it yet. Decisions that were made stay
   * as they are.
   *
   * @param capacity 0 to {@value #CAPACITY_MAX}
   * @return false, with nothing changed, if more seats are taken than that
   */
  public boolean setCapacity(PoolKey pool, int capacity) {
    return database.inOneStatement(
        """
        INSERT INTO %s.seat_pool AS p (pool_key, capacity) VALUES (?, ?)
            ON CONFLICT (pool_key) DO UPDATE SET capacity = EXCLUDED.capacity
         WHERE p.reserved <= EXCLUDED.capacity
        """,
        (connection, statement) -> {
          statement.setString(1, pool.value());
          statement.setInt(2, capacity);
          return statement.executeUpdate() == 1;
        });
  }
}

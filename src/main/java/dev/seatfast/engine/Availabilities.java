package dev.seatfast.engine;

import dev.seatfast.database.Database;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Reads what many pools have left. */
@Singleton
public class Availabilities {

  /** The most pools of one read. */
  public static final int POOLS_MAX = 100;

  private final DecisionExecutor executor;
  private final Database database;
  private final EngineConfig config;

  Availabilities(DecisionExecutor executor, Database database, EngineConfig config) {
    this.executor = executor;
    this.database = database;
    this.config = config;
  }

  /**
   * Reads pools in one snapshot, at one instant of the database's clock. It takes no lock: while a
   * hold is confirmed in its last instant, its seats may still show as free.
   *
   * @param pools 1 to {@value #POOLS_MAX}; one that nobody used has the default capacity
   * @return completes with one for each pool, in their order
   */
  public CompletionStage<List<Availability>> read(List<PoolKey> pools) {
    return executor.run(
        () -> {
          List<Reading> readings = readNow(pools);
          if (readings.stream().anyMatch(Reading::unflushed)) {
            database.awaitFlush();
          }
          return readings.stream().map(Reading::availability).toList();
        });
  }

  /**
   * What was read of a pool.
   *
   * @param unflushed whether a crash of the database can still take it back
   */
  private record Reading(Availability availability, boolean unflushed) {}

  private List<Reading> readNow(List<PoolKey> pools) {
    // A look-up for each pool, whatever the planner thinks of a join.
    return database.list(
        """
        SELECT k.pool_key, coalesce(p.capacity, ?) AS capacity,
               coalesce(p.capacity - p.reserved, ?)
                 + CASE WHEN p.next_expiry <= statement_timestamp() THEN
                     (SELECT coalesce(sum(h.seats), 0)
                        FROM {schema}.reservation_attempt h
                       WHERE h.pool_key = k.pool_key AND h.state = 'HELD'
                         AND h.expires_at <= statement_timestamp())
                   ELSE 0 END AS free,
               p.opens_at, p.closes_at, coalesce(p.paused, false) AS paused,
               {schema}.shut_reason(p.paused, p.opens_at, p.closes_at,
                                    statement_timestamp()) AS shut,
               p.released_at IS NOT NULL AS unflushed
          FROM unnest(?::text[]) WITH ORDINALITY AS k (pool_key, ordinal)
          LEFT JOIN LATERAL (
               SELECT s.capacity, s.reserved, s.next_expiry, s.opens_at, s.closes_at, s.paused,
                      s.released_at
                 FROM {schema}.seat_pool s
                WHERE s.pool_key = k.pool_key
                LIMIT 1) p ON true
         ORDER BY k.ordinal
        """,
        parameters ->
            parameters
                .add(config.defaultCapacity())
                .add(config.defaultCapacity())
                .addTexts(pools.stream().map(PoolKey::value).toList()),
        row ->
            new Reading(
                new Availability(
                    new PoolKey(row.getString("pool_key")),
                    row.getInt("capacity"),
                    row.getInt("free"),
                    PoolOpenings.opening(row, ""),
                    Optional.ofNullable(row.getString("shut")).map(Shut.Reason::valueOf)),
                row.getBoolean("unflushed")));
  }
}

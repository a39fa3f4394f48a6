package dev.seatfast.engine;

import dev.seatfast.database.Database;
import dev.seatfast.database.RowMapper;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads slots. */
@Singleton
public class Slots {

  private final DecisionExecutor executor;
  private final Database database;
  private final SeatPools pools;

  Slots(DecisionExecutor executor, Database database, SeatPools pools) {
    this.executor = executor;
    this.database = database;
    this.pools = pools;
  }

  /**
   * A slot as it was read; not final while a confirmation of its last instant may be committing.
   */
  private record Reading(Slot slot, boolean isFinal) {}

  /** Reads one slot; an unused slot is free. */
  public CompletionStage<Slot> find(String tenantId, String resourceId, Instant start) {
    PoolKey pool = PoolKey.ofSlot(tenantId, resourceId, start);
    Reading unused = new Reading(new Slot(start, Slot.State.FREE, null), true);
    return executor
        .run(() -> read(pool).orElse(unused))
        .thenCompose(
            reading ->
                reading.isFinal()
                    ? CompletableFuture.completedFuture(reading)
                    : executor.runWaiting(
                        () -> {
                          pools.endExpiredHolds(pool);
                          return read(pool).orElse(unused);
                        }))
        .thenApply(Reading::slot);
  }

  private Optional<Reading> read(PoolKey pool) {
    return database.first(
        """
        SELECT pool_key, expires_at,
               CASE WHEN state = 'HELD' AND expires_at <= statement_timestamp() THEN 'FREE'
                    ELSE state END AS state
          FROM {schema}.reservation_attempt
         WHERE pool_key = ? AND state IN ('HELD', 'CONFIRMED')
         ORDER BY state, expires_at DESC
         LIMIT 1
        """,
        parameters -> parameters.add(pool.value()),
        row -> {
          Slot slot = slot(row);
          return new Reading(slot, slot.state() != Slot.State.FREE);
        });
  }

  /**
   * Reads the slots of a resource that were ever used, by their start. It takes no lock: while a
   * hold is confirmed in its last instant, the slot may still show as free.
   *
   * @param from the earliest start
   * @param to before this
   * @param limit how many at most
   */
  public CompletionStage<List<Slot>> list(
      String tenantId, String resourceId, Instant from, Instant to, int limit) {
    return executor.run(
        () ->
            database.list(
                """
                SELECT p.pool_key, coalesce(a.state, 'FREE') AS state, a.expires_at
                  FROM {schema}.seat_pool p
                  LEFT JOIN {schema}.reservation_attempt a
                    ON a.pool_key = p.pool_key
                   AND (a.state = 'CONFIRMED'
                        OR (a.state = 'HELD' AND a.expires_at > statement_timestamp()))
                 WHERE p.pool_key >= ? AND p.pool_key < ?
                 ORDER BY p.pool_key
                 LIMIT ?
                """,
                parameters ->
                    parameters
                        .add(PoolKey.ofSlot(tenantId, resourceId, from).value())
                        .add(PoolKey.ofSlot(tenantId, resourceId, to).value())
                        .add(limit),
                Slots::slot));
  }

  private static Slot slot(ResultSet row) throws SQLException {
    Instant start = new PoolKey(row.getString("pool_key")).slotStart();
    Slot.State state = Slot.State.valueOf(row.getString("state"));
    return new Slot(
        start, state, state == Slot.State.HELD ? RowMapper.instant(row, "expires_at") : null);
  }
}

package dev.seatfast.engine;

import dev.seatfast.database.Database;
import dev.seatfast.database.RowMapper;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Reads slots. */
@Singleton
public class Slots {

  private final DecisionExecutor threads;
  private final Database database;

  Slots(DecisionExecutor threads, Database database) {
    this.threads = threads;
    this.database = database;
  }

  /** Reads one slot; one that nobody used yet is free. */
  public CompletionStage<Slot> find(String tenantId, String resourceId, Instant start) {
    return list(tenantId, resourceId, start, start.plusMillis(1), 1)
        .thenApply(
            slots -> slots.isEmpty() ? new Slot(start, Slot.State.FREE, null) : slots.get(0));
  }

  /**
   * Reads the slots of a resource that were ever used, by their start.
   *
   * @param from the earliest start
   * @param to before this
   * @param limit how many at most
   */
  public CompletionStage<List<Slot>> list(
      String tenantId, String resourceId, Instant from, Instant to, int limit) {
    return threads.run(
        () ->
            database.list(
                """
                SELECT p.pool_key, a.state, a.expires_at
                  FROM {schema}.seat_pool p
                  LEFT JOIN {schema}.reservation_attempt a
                    ON a.pool_key = p.pool_key
                   AND (a.state = 'CONFIRMED'
                        OR (a.state = 'HELD' AND a.expires_at > clock_timestamp()))
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
    String state = row.getString("state");
    Slot.State seen = state == null ? Slot.State.FREE : Slot.State.valueOf(state);
    return new Slot(
        start, seen, seen == Slot.State.HELD ? RowMapper.instant(row, "expires_at") : null);
  }
}

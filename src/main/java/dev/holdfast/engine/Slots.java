package dev.holdfast.engine;

import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Reads slots. */
@Singleton
public class Slots {

  private final DecisionThreads threads;
  private final Database database;

  Slots(DecisionThreads threads, Database database) {
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
            database.inOneStatement(
                """
                SELECT p.pool_key, a.state, a.expires_at
                  FROM %s.seat_pool p
                  LEFT JOIN %s.reservation_attempt a
                    ON a.pool_key = p.pool_key
                   AND (a.state = 'CONFIRMED'
                        OR (a.state = 'HELD' AND a.expires_at > clock_timestamp()))
                 WHERE p.pool_key >= ? AND p.pool_key < ?
                 ORDER BY p.pool_key
                 LIMIT ?
                """,
                (connection, statement) -> {
                  statement.setString(1, PoolKey.ofSlot(tenantId, resourceId, from).value());
                  statement.setString(2, PoolKey.ofSlot(tenantId, resourceId, to).value());
                  statement.setInt(3, limit);
                  try (ResultSet rows = statement.executeQuery()) {
                    return slots(rows);
                  }
                }));
  }

  private static List<Slot> slots(ResultSet rows) throws SQLException {
    List<Slot> slots = new ArrayList<>();
    while (rows.next()) {
      Instant start = new PoolKey(rows.getString("pool_key")).slotStart();
      String state = rows.getString("state");
      Slot.State seen = state == null ? Slot.State.FREE : Slot.State.valueOf(state);
      slots.add(
          new Slot(
              start, seen, seen == Slot.State.HELD ? HoldStore.instant(rows, "expires_at") : null));
    }
    return slots;
  }
}

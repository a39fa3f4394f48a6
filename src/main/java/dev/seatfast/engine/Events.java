package dev.seatfast.engine;

import dev.seatfast.database.Database;
import dev.seatfast.database.RowMapper;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * The events of all pools in one order, for other systems to follow.
 *
 * <p>Decisions only number their own pool's events. An event gets its position among all events
 * when a client reads: one reader at a time gives the next positions to the events that are
 * committed by then, in the order of each pool. So positions only grow, no uncommitted event has
 * one, and a client that continues after the last position it saw misses nothing, however late a
 * transaction commits.
 */
@Singleton
public class Events {

  private static final int POSITIONED_AT_ONCE_MAX = 5_000;

  /** Enough for a large backlog; the next call goes on. */
  private static final int POSITIONING_ROUNDS_MAX = 20;

  private final Database database;

  Events(Database database) {
    this.database = database;
  }

  /**
   * One transition of a pool.
   *
   * @param position among the events of all pools
   * @param pool the pool's key
   * @param number among the events of the pool, from 1, without a gap
   * @param requestId of the attempt; empty for a change of the capacity
   * @param reservationId of a hold, else null
   * @param expiresAt of a hold, else null
   */
  public record Event(
      long position,
      String pool,
      long number,
      String kind,
      String requestId,
      UUID reservationId,
      int seats,
      Instant expiresAt,
      Instant occurredAt) {}

  /**
   * Reads events in the order of their positions. The same call later gives the same events again.
   *
   * @param after the last position that was seen, 0 for none
   * @param limit how many at most
   */
  public List<Event> page(long after, int limit) {
    Positions positions = givePositions();
    for (int round = 1; !positions.all() && round < POSITIONING_ROUNDS_MAX; round++) {
      positions = givePositions();
    }
    return read(after, positions.last(), limit);
  }

  /** The last position that is given, and whether all events have one that were there. */
  private record Positions(long last, boolean all) {}

  private Positions givePositions() {
    return database.one(
        "SELECT o_last, o_all FROM {schema}.position_events(?)",
        parameters -> parameters.add(POSITIONED_AT_ONCE_MAX),
        row -> new Positions(row.getLong("o_last"), row.getBoolean("o_all")));
  }

  /** Reads up to the last position that this call gave: later ones may not all be visible yet. */
  private List<Event> read(long after, long last, int limit) {
    return database.list(
        """
        SELECT position, pool_key, number, kind, request_id, reservation_id, seats, expires_at,
               occurred_at
          FROM {schema}.pool_event
         WHERE position > ? AND position <= ?
         ORDER BY position
         LIMIT ?
        """,
        parameters -> parameters.add(after).add(last).add(limit),
        row ->
            new Event(
                row.getLong("position"),
                row.getString("pool_key"),
                row.getLong("number"),
                row.getString("kind"),
                row.getString("request_id"),
                row.getObject("reservation_id", UUID.class),
                row.getInt("seats"),
                RowMapper.instant(row, "expires_at"),
                RowMapper.instant(row, "occurred_at")));
  }
}

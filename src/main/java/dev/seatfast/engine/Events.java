package dev.seatfast.engine;

import dev.seatfast.database.Database;
import dev.seatfast.database.Parameters;
import dev.seatfast.database.RowMapper;
import dev.seatfast.database.Session;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * The events of all pools in one order, for other systems to follow.
 *
 * <p>Decisions only number their own pool's events. An event gets its place among all events when
 * somebody reads: one reader at a time gives the next positions to what is committed by then, a
 * pool's events in their order. So positions only grow, none is given to anything uncommitted, and
 * who continues after the last one it saw misses nothing, however late a transaction commits.
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
    for (int round = 0; round < POSITIONING_ROUNDS_MAX; round++) {
      if (database.inTransaction(Events::givePositions) < POSITIONED_AT_ONCE_MAX) {
        break;
      }
    }
    return database.inTransaction(session -> read(session, after, limit));
  }

  private static int givePositions(Session session) throws SQLException {
    session.one(
        "SELECT last FROM {schema}.event_position WHERE stream = 'pools' FOR UPDATE",
        Parameters.Binder.NONE,
        row -> row.getLong("last"));
    return session.one(
        """
        WITH waiting AS (
            SELECT e.pool_key, e.number
              FROM {schema}.pool_event e
             WHERE e.position IS NULL
             ORDER BY e.pool_key, e.number
             LIMIT ?
        ), placed AS (
            UPDATE {schema}.pool_event e
               SET position = h.last + w.ordinal
              FROM (SELECT pool_key, number, row_number() OVER (ORDER BY pool_key, number) AS ordinal
                      FROM waiting) w,
                   {schema}.event_position h
             WHERE e.pool_key = w.pool_key AND e.number = w.number AND h.stream = 'pools'
            RETURNING e.position
        )
        UPDATE {schema}.event_position h
           SET last = h.last + p.placed
          FROM (SELECT count(*)::integer AS placed FROM placed) p
         WHERE h.stream = 'pools'
        RETURNING p.placed
        """,
        parameters -> parameters.add(POSITIONED_AT_ONCE_MAX),
        row -> row.getInt("placed"));
  }

  private static List<Event> read(Session session, long after, int limit) throws SQLException {
    return session.list(
        """
        SELECT position, pool_key, number, kind, request_id, reservation_id, seats, expires_at,
               occurred_at
          FROM {schema}.pool_event
         WHERE position > ?
         ORDER BY position
         LIMIT ?
        """,
        parameters -> parameters.add(after).add(limit),
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

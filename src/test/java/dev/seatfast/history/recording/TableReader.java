package dev.seatfast.history.recording;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Reads what the database keeps about one pool, past the service. */
public final class TableReader {

  private static final String POOL =
      """
      SELECT p.capacity, p.reserved, p.confirmed_requests, p.confirmed_seats,
             (SELECT sum(t.rejected) FROM seatfast.rejection_tally t WHERE t.pool_key = k.pool_key) AS rejected,
             clock_timestamp() AS read_at
        FROM (VALUES (?)) AS k (pool_key)
        LEFT JOIN seatfast.seat_pool p ON p.pool_key = k.pool_key
      """;

  private static final String ATTEMPTS =
      """
      SELECT request_id, seats, state, reservation_id, owner, decided_at, expires_at
        FROM seatfast.reservation_attempt
       WHERE pool_key = ?
      """;

  private final Connection connection;
  private final Duration timeToLive;

  /**
   * @param connection for this reader alone
   * @param timeToLive of a new hold
   */
  public TableReader(Connection connection, Duration timeToLive) throws SQLException {
    this.connection = connection;
    this.timeToLive = timeToLive;
    connection.setAutoCommit(false);
    connection.setReadOnly(true);
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
  }

  public Answer.Tables read(String poolKey, int defaultCapacity) throws SQLException {
    try (PreparedStatement pool = connection.prepareStatement(POOL);
        PreparedStatement attempts = connection.prepareStatement(ATTEMPTS)) {
      pool.setString(1, poolKey);
      attempts.setString(1, poolKey);
      try (ResultSet counters = pool.executeQuery();
          ResultSet rows = attempts.executeQuery()) {
        counters.next();
        return tables(counters, rows, defaultCapacity);
      }
    } finally {
      connection.rollback();
    }
  }

  private Answer.Tables tables(ResultSet counters, ResultSet rows, int defaultCapacity)
      throws SQLException {
    Timestamp readAt = counters.getTimestamp("read_at");
    Map<String, Answer.ReservationRow> reservations = new HashMap<>();
    Map<UUID, Answer.HoldRow> holds = new HashMap<>();
    int unmarkedSeats = 0;
    while (rows.next()) {
      String state = rows.getString("state");
      int seats = rows.getInt("seats");
      UUID id = rows.getObject("reservation_id", UUID.class);
      if (id == null) {
        reservations.put(
            rows.getString("request_id"),
            new Answer.ReservationRow(state.equals("CONFIRMED"), seats));
        continue;
      }
      boolean unmarked = state.equals("HELD") && !rows.getTimestamp("expires_at").after(readAt);
      unmarkedSeats += unmarked ? seats : 0;
      holds.put(
          id,
          new Answer.HoldRow(
              rows.getString("owner"),
              seats,
              unmarked ? "EXPIRED" : state,
              millis(rows, "decided_at") + timeToLive.toMillis(),
              millis(rows, "expires_at")));
    }
    int capacity = counters.getInt("capacity");
    return new Answer.Tables(
        counters.wasNull() ? defaultCapacity : capacity,
        counters.getInt("reserved") - unmarkedSeats,
        counters.getLong("confirmed_requests"),
        counters.getLong("rejected"),
        counters.getLong("confirmed_seats"),
        reservations,
        holds);
  }

  private static long millis(ResultSet row, String column) throws SQLException {
    return row.getTimestamp(column).toInstant().truncatedTo(ChronoUnit.MILLIS).toEpochMilli();
  }
}

package dev.holdfast.engine;

import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Holds of one pool, in SQL. */
@Singleton
class HoldStore {

  private final Database database;
  private final EngineConfig config;

  HoldStore(Database database, EngineConfig config) {
    this.database = database;
    this.config = config;
  }

  /** Holds seats of a pool, request by request, in one transaction and one round trip. */
  List<HoldAnswer> hold(PoolKey pool, int defaultCapacity, List<HoldRequest> requests) {
    return database.inOneStatement(
        HOLD,
        (connection, statement) ->
            hold(connection, statement, pool, defaultCapacity, requests, false, null));
  }

  /** Holds one slot of a group, as part of the session's transaction. */
  HoldAnswer holdInGroup(
      Database.Session session, PoolKey pool, HoldRequest request, Instant expiresAt)
      throws SQLException {
    return session
        .run(
            HOLD,
            (connection, statement) ->
                hold(connection, statement, pool, 1, List.of(request), true, expiresAt))
        .get(0);
  }

  private static final String HOLD =
      """
      SELECT o_outcome, o_reservation_id, o_seats, o_expires_at, o_replayed, o_capacity, o_reserved
        FROM %s.hold(?, ?, ?, ?, ?, ?, ?, make_interval(secs => ?), ?, ?)
      """;

  private List<HoldAnswer> hold(
      Connection connection,
      PreparedStatement statement,
      PoolKey pool,
      int defaultCapacity,
      List<HoldRequest> requests,
      boolean grouped,
      Instant expiresAt)
      throws SQLException {
    statement.setString(1, pool.value());
    statement.setInt(2, defaultCapacity);
    statement.setArray(3, array(connection, "text", requests, HoldRequest::requestId));
    statement.setArray(4, array(connection, "text", requests, HoldRequest::owner));
    statement.setArray(5, array(connection, "integer", requests, HoldRequest::seats));
    statement.setArray(6, array(connection, "uuid", requests, HoldRequest::reservationId));
    statement.setBoolean(7, grouped);
    statement.setDouble(8, config.hold().timeToLive().toMillis() / 1000.0);
    statement.setObject(9, expiresAt == null ? null : expiresAt.atOffset(ZoneOffset.UTC));
    statement.setBoolean(10, config.events().enabled());
    List<HoldAnswer> answers = new ArrayList<>(requests.size());
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        answers.add(answer(rows));
      }
    }
    return answers;
  }

  private static HoldAnswer answer(ResultSet row) throws SQLException {
    int capacity = row.getInt("o_capacity");
    int reserved = row.getInt("o_reserved");
    return switch (row.getString("o_outcome")) {
      case "HELD" ->
          new HoldAnswer.Held(
              row.getObject("o_reservation_id", UUID.class),
              row.getInt("o_seats"),
              instant(row, "o_expires_at"),
              row.getBoolean("o_replayed"),
              capacity,
              reserved);
      default -> new HoldAnswer.Refused(capacity, reserved);
    };
  }

  /** Confirms, cancels or extends holds of a pool, one by one, in one transaction. */
  List<Settlement> settle(
      PoolKey pool, Settlement.Action action, List<Settlement.Request> requests) {
    return database.inOneStatement(
        SETTLE,
        (connection, statement) -> settle(connection, statement, pool, action, requests, false));
  }

  /** Does so with one slot of a group, as part of the session's transaction. */
  Settlement settleInGroup(
      Database.Session session, PoolKey pool, Settlement.Action action, Settlement.Request request)
      throws SQLException {
    return session
        .run(
            SETTLE,
            (connection, statement) ->
                settle(connection, statement, pool, action, List.of(request), true))
        .get(0);
  }

  private static final String SETTLE =
      """
      SELECT o_outcome, o_expires_at
        FROM %s.settle(?, ?, ?, ?, ?, make_interval(secs => ?), make_interval(secs => ?), ?)
      """;

  private List<Settlement> settle(
      Connection connection,
      PreparedStatement statement,
      PoolKey pool,
      Settlement.Action action,
      List<Settlement.Request> requests,
      boolean grouped)
      throws SQLException {
    statement.setString(1, pool.value());
    statement.setString(2, action.name());
    statement.setArray(3, array(connection, "uuid", requests, Settlement.Request::reservationId));
    statement.setArray(4, array(connection, "text", requests, Settlement.Request::owner));
    statement.setBoolean(5, grouped);
    statement.setDouble(6, config.hold().timeToLive().toMillis() / 1000.0);
    statement.setDouble(7, config.hold().timeMax().toMillis() / 1000.0);
    statement.setBoolean(8, config.events().enabled());
    List<Settlement> settlements = new ArrayList<>(requests.size());
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        settlements.add(
            new Settlement(
                Settlement.Outcome.valueOf(rows.getString("o_outcome")),
                instant(rows, "o_expires_at")));
      }
    }
    return settlements;
  }

  /** Reads one hold of a pool; the caller checks whose it is. */
  Optional<Hold> find(PoolKey pool, UUID reservationId) {
    return database.inOneStatement(
        """
        SELECT reservation_id, owner, seats, decided_at, expires_at, settled_at,
               CASE WHEN state = 'HELD' AND expires_at <= clock_timestamp()
                    THEN 'EXPIRED' ELSE state END AS state
          FROM %s.reservation_attempt
         WHERE pool_key = ? AND reservation_id = ?
        """,
        (connection, statement) -> {
          statement.setString(1, pool.value());
          statement.setObject(2, reservationId);
          try (ResultSet row = statement.executeQuery()) {
            return row.next()
                ? Optional.of(
                    new Hold(
                        row.getObject("reservation_id", UUID.class),
                        row.getString("owner"),
                        row.getInt("seats"),
                        row.getString("state"),
                        instant(row, "decided_at"),
                        instant(row, "expires_at"),
                        instant(row, "settled_at")))
                : Optional.empty();
          }
        });
  }

  static Instant instant(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  private static <T> java.sql.Array array(
      Connection connection, String type, List<T> values, Function<T, Object> field)
      throws SQLException {
    return connection.createArrayOf(type, values.stream().map(field).toArray());
  }
}

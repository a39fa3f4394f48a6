package dev.seatfast.engine;

import dev.seatfast.database.Database;
import dev.seatfast.database.Parameters;
import dev.seatfast.database.RowMapper;
import dev.seatfast.database.Session;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Holds of one pool, in SQL. */
@Singleton
class HoldStore {

  private final Database database;
  private final EngineConfig config;

  HoldStore(Database database, EngineConfig config) {
    this.database = database;
    this.config = config;
  }

  private static final String HOLD =
      """
      SELECT o_outcome, o_reservation_id, o_seats, o_expires_at, o_replayed, o_capacity, o_reserved
        FROM {schema}.hold(?, ?, ?, ?, ?, ?, ?, make_interval(secs => ?), ?, ?)
      """;

  private static final String SETTLE =
      """
      SELECT o_outcome, o_expires_at
        FROM {schema}.settle(?, ?, ?, ?, ?, make_interval(secs => ?), make_interval(secs => ?), ?)
      """;

  /** Holds seats of a pool, request by request, in one transaction and one round trip. */
  List<HoldAnswer> hold(PoolKey pool, int defaultCapacity, List<HoldRequest> requests) {
    return database.list(
        HOLD,
        parameters -> bind(parameters, pool, defaultCapacity, requests, false, null),
        HoldStore::answer);
  }

  /** Holds one slot of a group, as part of the session's transaction. */
  HoldAnswer holdInGroup(Session session, PoolKey pool, HoldRequest request, Instant expiresAt)
      throws SQLException {
    return session.one(
        HOLD,
        parameters -> bind(parameters, pool, 1, List.of(request), true, expiresAt),
        HoldStore::answer);
  }

  private void bind(
      Parameters parameters,
      PoolKey pool,
      int defaultCapacity,
      List<HoldRequest> requests,
      boolean grouped,
      Instant expiresAt)
      throws SQLException {
    parameters
        .add(pool.value())
        .add(defaultCapacity)
        .addTexts(requests.stream().map(HoldRequest::requestId).toList())
        .addTexts(requests.stream().map(HoldRequest::owner).toList())
        .addIntegers(requests.stream().map(HoldRequest::seats).toList())
        .addUuids(requests.stream().map(HoldRequest::reservationId).toList())
        .add(grouped)
        .add(config.hold().timeToLive())
        .add(expiresAt)
        .add(config.events().enabled());
  }

  private static HoldAnswer answer(ResultSet row) throws SQLException {
    int capacity = row.getInt("o_capacity");
    int reserved = row.getInt("o_reserved");
    return switch (row.getString("o_outcome")) {
      case "HELD" ->
          new HoldAnswer.Held(
              row.getObject("o_reservation_id", UUID.class),
              row.getInt("o_seats"),
              RowMapper.instant(row, "o_expires_at"),
              row.getBoolean("o_replayed"),
              capacity,
              reserved);
      default -> new HoldAnswer.Refused(capacity, reserved);
    };
  }

  /** Confirms, cancels or extends holds of a pool, one by one, in one transaction. */
  List<Settlement> settle(
      PoolKey pool, Settlement.Action action, List<Settlement.Request> requests) {
    return database.list(
        SETTLE,
        parameters -> bind(parameters, pool, action, requests, false),
        HoldStore::settlement);
  }

  /** Does so with one slot of a group, as part of the session's transaction. */
  Settlement settleInGroup(
      Session session, PoolKey pool, Settlement.Action action, Settlement.Request request)
      throws SQLException {
    return session.one(
        SETTLE,
        parameters -> bind(parameters, pool, action, List.of(request), true),
        HoldStore::settlement);
  }

  private void bind(
      Parameters parameters,
      PoolKey pool,
      Settlement.Action action,
      List<Settlement.Request> requests,
      boolean grouped)
      throws SQLException {
    parameters
        .add(pool.value())
        .add(action.name())
        .addUuids(requests.stream().map(Settlement.Request::reservationId).toList())
        .addTexts(requests.stream().map(Settlement.Request::owner).toList())
        .add(grouped)
        .add(config.hold().timeToLive())
        .add(config.hold().timeMax())
        .add(config.events().enabled());
  }

  private static Settlement settlement(ResultSet row) throws SQLException {
    return new Settlement(
        Settlement.Outcome.valueOf(row.getString("o_outcome")),
        RowMapper.instant(row, "o_expires_at"));
  }

  /** Reads one hold of a pool; the caller checks whose it is. */
  Optional<Hold> find(PoolKey pool, UUID reservationId) {
    return database.first(
        """
        SELECT reservation_id, owner, seats, decided_at, expires_at, settled_at,
               CASE WHEN state = 'HELD' AND expires_at <= clock_timestamp()
                    THEN 'EXPIRED' ELSE state END AS state
          FROM {schema}.reservation_attempt
         WHERE pool_key = ? AND reservation_id = ?
        """,
        parameters -> parameters.add(pool.value()).add(reservationId),
        row ->
            new Hold(
                row.getObject("reservation_id", UUID.class),
                row.getString("owner"),
                row.getInt("seats"),
                row.getString("state"),
                RowMapper.instant(row, "decided_at"),
                RowMapper.instant(row, "expires_at"),
                RowMapper.instant(row, "settled_at")));
  }
}

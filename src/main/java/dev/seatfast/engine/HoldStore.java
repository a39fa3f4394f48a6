package dev.seatfast.engine;

import dev.seatfast.database.Database;
import dev.seatfast.database.RowMapper;
import dev.seatfast.database.UnavailableException;
import dev.seatfast.engine.RequestKind.Batch;
import dev.seatfast.engine.RequestKind.Outcome;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Holds, in SQL. */
@Singleton
class HoldStore {

  /** Instead of an outcome, for a pool that another transaction has locked. */
  private static final String LOCKED = "LOCKED";

  private final Database database;
  private final EngineConfig config;

  HoldStore(Database database, EngineConfig config) {
    this.database = database;
    this.config = config;
  }

  /**
   * Holds seats in one transaction and one round trip; see {@link RequestKind.Decider}.
   *
   * @param defaultCapacity the capacity of pools that do not exist yet
   */
  List<Outcome<HoldAnswer>> hold(
      List<Batch<HoldRequest>> batches, int defaultCapacity, boolean mayWait) {
    List<Outcome<HoldAnswer>> outcomes =
        batches.size() == 1
            ? List.of(hold(batches.get(0), defaultCapacity, mayWait))
            : holdInMany(new PoolBatches<>(batches), defaultCapacity);
    if (outcomes.stream().anyMatch(HoldStore::wrote)) {
      database.wrote();
    }
    return outcomes;
  }

  private Outcome<HoldAnswer> hold(Batch<HoldRequest> batch, int defaultCapacity, boolean mayWait) {
    List<HoldRequest> requests = batch.requests();
    return PoolBatches.outcome(
        database.list(
            """
            SELECT o_outcome, o_reservation_id, o_seats, o_expires_at, o_replayed, o_opens_at,
                   o_closes_at
              FROM {schema}.hold(?, ?, ?, ?, ?, ?, make_interval(secs => ?), ?, ?)
            """,
            parameters ->
                parameters
                    .add(batch.pool().value())
                    .add(defaultCapacity)
                    .addTexts(requests.stream().map(HoldRequest::requestId).toList())
                    .addTexts(requests.stream().map(HoldRequest::owner).toList())
                    .addIntegers(requests.stream().map(HoldRequest::seats).toList())
                    .addUuids(requests.stream().map(HoldRequest::reservationId).toList())
                    .add(config.hold().timeToLive())
                    .add(config.events().enabled())
                    .add(mayWait),
            HoldStore::answer));
  }

  private List<Outcome<HoldAnswer>> holdInMany(
      PoolBatches<HoldRequest> batches, int defaultCapacity) {
    return batches.outcomes(
        database.list(
            """
            SELECT b.ordinal, h.o_outcome, h.o_reservation_id, h.o_seats, h.o_expires_at,
                   h.o_replayed, h.o_opens_at, h.o_closes_at
              FROM unnest(?::text[], ?::integer[], ?::integer[])
                   WITH ORDINALITY AS b (pool_key, first, last, ordinal),
                   LATERAL {schema}.hold(b.pool_key, ?, (?::text[])[b.first : b.last],
                                         (?::text[])[b.first : b.last],
                                         (?::integer[])[b.first : b.last],
                                         (?::uuid[])[b.first : b.last],
                                         make_interval(secs => ?), ?, false) AS h
            """,
            parameters -> {
              batches.bindPools(parameters);
              parameters
                  .add(defaultCapacity)
                  .addTexts(batches.each(HoldRequest::requestId))
                  .addTexts(batches.each(HoldRequest::owner))
                  .addIntegers(batches.each(HoldRequest::seats))
                  .addUuids(batches.each(HoldRequest::reservationId))
                  .add(config.hold().timeToLive())
                  .add(config.events().enabled());
            },
            PoolBatches.rows(HoldStore::answer)));
  }

  /** Null if the pool is locked. */
  private static HoldAnswer answer(ResultSet row) throws SQLException {
    String outcome = row.getString("o_outcome");
    return switch (outcome) {
      case "HELD" ->
          new HoldAnswer.Held(
              row.getObject("o_reservation_id", UUID.class),
              row.getInt("o_seats"),
              RowMapper.instant(row, "o_expires_at"),
              row.getBoolean("o_replayed"));
      case "REFUSED" -> new HoldAnswer.Refused();
      case "NOT_OPEN", "CLOSED", "PAUSED" -> Shut.of(outcome, row);
      case LOCKED -> null;
      default -> throw UnavailableException.unknown("The database answered a hold with " + outcome);
    };
  }

  private static boolean wrote(Outcome<HoldAnswer> outcome) {
    return outcome instanceof Outcome.Decided<HoldAnswer> decided
        && decided.answers().stream()
            .anyMatch(answer -> answer instanceof HoldAnswer.Held held && !held.replayed());
  }

  /** Changes holds in one transaction and one round trip; see {@link RequestKind.Decider}. */
  List<Outcome<Settlement>> settle(
      List<Batch<Settlement.Request>> batches, Settlement.Action action, boolean mayWait) {
    return batches.size() == 1
        ? List.of(settle(batches.get(0), action, mayWait))
        : settleInMany(new PoolBatches<>(batches), action);
  }

  private Outcome<Settlement> settle(
      Batch<Settlement.Request> batch, Settlement.Action action, boolean mayWait) {
    List<Settlement.Request> requests = batch.requests();
    return PoolBatches.outcome(
        database.list(
            """
            SELECT o_outcome, o_seats, o_expires_at
              FROM {schema}.settle(?, ?, ?, ?, make_interval(secs => ?), make_interval(secs => ?), ?, ?)
            """,
            parameters ->
                parameters
                    .add(batch.pool().value())
                    .add(action.name())
                    .addUuids(requests.stream().map(Settlement.Request::reservationId).toList())
                    .addTexts(requests.stream().map(Settlement.Request::owner).toList())
                    .add(config.hold().timeToLive())
                    .add(config.hold().timeMax())
                    .add(config.events().enabled())
                    .add(mayWait),
            HoldStore::settlement));
  }

  private List<Outcome<Settlement>> settleInMany(
      PoolBatches<Settlement.Request> batches, Settlement.Action action) {
    return batches.outcomes(
        database.list(
            """
            SELECT b.ordinal, s.o_outcome, s.o_seats, s.o_expires_at
              FROM unnest(?::text[], ?::integer[], ?::integer[])
                   WITH ORDINALITY AS b (pool_key, first, last, ordinal),
                   LATERAL {schema}.settle(b.pool_key, ?, (?::uuid[])[b.first : b.last],
                                           (?::text[])[b.first : b.last], make_interval(secs => ?),
                                           make_interval(secs => ?), ?, false) AS s
            """,
            parameters -> {
              batches.bindPools(parameters);
              parameters
                  .add(action.name())
                  .addUuids(batches.each(Settlement.Request::reservationId))
                  .addTexts(batches.each(Settlement.Request::owner))
                  .add(config.hold().timeToLive())
                  .add(config.hold().timeMax())
                  .add(config.events().enabled());
            },
            PoolBatches.rows(HoldStore::settlement)));
  }

  /** Null if the pool is locked. */
  static Settlement settlement(ResultSet row) throws SQLException {
    String outcome = row.getString("o_outcome");
    if (outcome.equals(LOCKED)) {
      return null;
    }
    try {
      return new Settlement(
          Settlement.Outcome.valueOf(outcome),
          row.getInt("o_seats"),
          RowMapper.instant(row, "o_expires_at"));
    } catch (IllegalArgumentException e) {
      throw UnavailableException.unknown(
          "The database answered a change of a hold with " + outcome);
    }
  }

  /** Reads one hold of a pool; the caller checks whose it is. */
  Optional<Hold> find(PoolKey pool, UUID reservationId) {
    return database.first(
        """
        SELECT reservation_id, owner, seats, decided_at, expires_at, settled_at,
               CASE WHEN state = 'HELD' AND expires_at <= statement_timestamp()
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

package dev.seatfast.engine;

import dev.seatfast.database.Database;
import dev.seatfast.database.Parameters;
import dev.seatfast.database.RowMapper;
import dev.seatfast.engine.RequestKind.Batch;
import dev.seatfast.engine.RequestKind.Outcome;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Direct reservations, in SQL. */
@Singleton
class ReservationStore {

  /** As many as the table's constraint allows. */
  private static final int REJECTION_STRIPES = 16;

  private final Database database;
  private final EngineConfig config;
  private final ContendedPools contended = new ContendedPools(System::nanoTime);

  ReservationStore(Database database, EngineConfig config) {
    this.database = database;
    this.config = config;
  }

  /** Decides requests in one transaction; see {@link RequestKind.Decider}. */
  List<Outcome<SeatAnswer>> reserve(List<Batch<SeatRequest>> batches, boolean mayWait) {
    List<Outcome<SeatAnswer>> outcomes =
        batches.size() == 1
            ? List.of(reserve(batches.get(0), mayWait))
            : reserveInMany(new PoolBatches<>(batches));
    if (outcomes.stream().anyMatch(ReservationStore::wrote)) {
      database.wrote();
    }
    return outcomes;
  }

  /**
   * Decides a pool's requests under its lock where that is free. Where it is not, many processes
   * want the pool: then each gives the lock back before its decision is flushed, so that the next
   * one need not wait for the disk.
   */
  private Outcome<SeatAnswer> reserve(Batch<SeatRequest> batch, boolean mayWait) {
    if (!mayWait || !contended.contains(batch.pool())) {
      Outcome<SeatAnswer> outcome = reserve(batch, false, database::list);
      if (!mayWait || outcome instanceof Outcome.Decided) {
        return outcome;
      }
      contended.add(batch.pool());
    }
    return reserve(batch, true, database::listReleasingEarly);
  }

  /** One of the two ways to run a statement. */
  @FunctionalInterface
  private interface Run {
    List<SeatAnswer> list(String sql, Parameters.Binder bind, RowMapper<SeatAnswer> map);
  }

  private Outcome<SeatAnswer> reserve(Batch<SeatRequest> batch, boolean wait, Run run) {
    return PoolBatches.outcome(
        batch.requests().size() == 1
            ? reserveOne(batch.pool(), batch.requests().get(0), wait, run)
            : reserveAll(batch, wait, run));
  }

  private List<SeatAnswer> reserveOne(PoolKey pool, SeatRequest request, boolean wait, Run run) {
    return run.list(
        """
        SELECT o_request_id, o_accepted, o_seats, o_capacity, o_reserved, o_replayed, o_shut,
               o_opens_at, o_closes_at
          FROM {schema}.reserve_one(?, ?, ?, ?, ?, ?, ?)
         WHERE o_request_id IS NOT NULL
        """,
        parameters ->
            parameters
                .add(pool.value())
                .add(config.defaultCapacity())
                .add(stripe())
                .add(request.requestId())
                .add(request.seats())
                .add(config.events().enabled())
                .add(wait),
        ReservationStore::answer);
  }

  private List<SeatAnswer> reserveAll(Batch<SeatRequest> batch, boolean wait, Run run) {
    return run.list(
        """
        SELECT o_request_id, o_accepted, o_seats, o_capacity, o_reserved, o_replayed, o_shut,
               o_opens_at, o_closes_at
          FROM {schema}.reserve(?, ?, ?, ?, ?, ?, ?)
        """,
        parameters ->
            parameters
                .add(batch.pool().value())
                .add(config.defaultCapacity())
                .add(stripe())
                .addTexts(batch.requests().stream().map(SeatRequest::requestId).toList())
                .addIntegers(batch.requests().stream().map(SeatRequest::seats).toList())
                .add(config.events().enabled())
                .add(wait),
        ReservationStore::answer);
  }

  private List<Outcome<SeatAnswer>> reserveInMany(PoolBatches<SeatRequest> batches) {
    return batches.outcomes(
        database.list(
            """
            SELECT b.ordinal, r.o_request_id, r.o_accepted, r.o_seats, r.o_capacity, r.o_reserved,
                   r.o_replayed, r.o_shut, r.o_opens_at, r.o_closes_at
              FROM unnest(?::text[], ?::integer[], ?::integer[])
                   WITH ORDINALITY AS b (pool_key, first, last, ordinal),
                   LATERAL {schema}.reserve(b.pool_key, ?, ?, (?::text[])[b.first : b.last],
                                            (?::integer[])[b.first : b.last], ?, false) AS r
            """,
            parameters -> {
              batches.bindPools(parameters);
              parameters
                  .add(config.defaultCapacity())
                  .add(stripe())
                  .addTexts(batches.each(SeatRequest::requestId))
                  .addIntegers(batches.each(SeatRequest::seats))
                  .add(config.events().enabled());
            },
            PoolBatches.rows(ReservationStore::answer)));
  }

  private static short stripe() {
    return (short) ThreadLocalRandom.current().nextInt(REJECTION_STRIPES);
  }

  private static SeatAnswer answer(ResultSet row) throws SQLException {
    String shut = row.getString("o_shut");
    if (shut != null) {
      return Shut.of(shut, row);
    }
    return new Decision(
        row.getString("o_request_id"),
        row.getInt("o_seats"),
        row.getBoolean("o_accepted") ? Decision.Outcome.ACCEPTED : Decision.Outcome.REJECTED,
        row.getInt("o_capacity"),
        row.getInt("o_reserved"),
        row.getBoolean("o_replayed"));
  }

  private static boolean wrote(Outcome<SeatAnswer> outcome) {
    return outcome instanceof Outcome.Decided<SeatAnswer> decided
        && decided.answers().stream()
            .anyMatch(answer -> answer instanceof Decision decision && !decision.replayed());
  }
}

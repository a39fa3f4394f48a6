package dev.seatfast.engine;

import dev.seatfast.database.Database;
import dev.seatfast.database.Parameters;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Direct reservations, in SQL. */
@Singleton
class ReservationStore {

  /** As many as the table's constraint allows. */
  private static final int REJECTION_STRIPES = 16;

  private final Database database;
  private final EngineConfig config;

  ReservationStore(Database database, EngineConfig config) {
    this.database = database;
    this.config = config;
  }

  /**
   * Decides requests, pool by pool in the order of the keys, in one transaction and one round trip.
   *
   * @param batches for different pools, each with request ids that differ from each other
   * @return for each batch one decision for each request, in the same order, all of them committed;
   *     or null for a pool among several that somebody else has locked, so that it does not keep
   *     the others waiting
   */
  List<List<Decision>> reserve(List<PoolQueues.Batch<SeatRequest>> batches) {
    List<PoolQueues.Batch<SeatRequest>> inOrder =
        batches.stream()
            .sorted(Comparator.comparing((PoolQueues.Batch<SeatRequest> b) -> b.pool().value()))
            .toList();
    Map<PoolKey, List<Decision>> decided = decide(inOrder, batches.size() == 1);
    List<List<Decision>> answers = new ArrayList<>();
    batches.forEach(batch -> answers.add(decided.get(batch.pool())));
    return answers;
  }

  private Map<PoolKey, List<Decision>> decide(
      List<PoolQueues.Batch<SeatRequest>> batches, boolean wait) {
    Map<PoolKey, List<Decision>> decided = new HashMap<>();
    database.list(
        """
        SELECT b.ordinal, r.o_accepted, r.o_seats, r.o_capacity, r.o_reserved, r.o_replayed
          FROM unnest(?::text[], ?::integer[], ?::integer[])
               WITH ORDINALITY AS b (pool_key, first, last, ordinal),
               LATERAL {schema}.reserve(b.pool_key, ?, ?, (?::text[])[b.first : b.last],
                                        (?::integer[])[b.first : b.last], ?, ?) AS r
        """,
        parameters -> bind(parameters, batches, wait),
        row -> {
          PoolQueues.Batch<SeatRequest> batch = batches.get(row.getInt("ordinal") - 1);
          List<Decision> decisions =
              decided.computeIfAbsent(batch.pool(), pool -> new ArrayList<>());
          return decisions.add(decision(batch.requests().get(decisions.size()), row));
        });
    return decided;
  }

  private void bind(
      Parameters parameters, List<PoolQueues.Batch<SeatRequest>> batches, boolean wait)
      throws SQLException {
    List<String> pools = new ArrayList<>();
    List<Integer> firsts = new ArrayList<>();
    List<Integer> lasts = new ArrayList<>();
    List<SeatRequest> requests = new ArrayList<>();
    for (PoolQueues.Batch<SeatRequest> batch : batches) {
      pools.add(batch.pool().value());
      firsts.add(requests.size() + 1);
      requests.addAll(batch.requests());
      lasts.add(requests.size());
    }
    parameters
        .addTexts(pools)
        .addIntegers(firsts)
        .addIntegers(lasts)
        .add(config.defaultCapacity())
        .add((short) ThreadLocalRandom.current().nextInt(REJECTION_STRIPES))
        .addTexts(requests.stream().map(SeatRequest::requestId).toList())
        .addIntegers(requests.stream().map(SeatRequest::seats).toList())
        .add(config.events().enabled())
        .add(wait);
  }

  private static Decision decision(SeatRequest request, ResultSet row) throws SQLException {
    return new Decision(
        request.requestId(),
        row.getInt("o_seats"),
        row.getBoolean("o_accepted") ? Decision.Outcome.ACCEPTED : Decision.Outcome.REJECTED,
        row.getInt("o_capacity"),
        row.getInt("o_reserved"),
        row.getBoolean("o_replayed"));
  }
}

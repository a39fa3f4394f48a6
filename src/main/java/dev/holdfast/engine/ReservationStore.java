package dev.holdfast.engine;

import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
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
    return database.inOneStatement(
        """
        SELECT b.ordinal, r.o_accepted, r.o_seats, r.o_capacity, r.o_reserved, r.o_replayed
          FROM unnest(?::text[], ?::integer[], ?::integer[])
               WITH ORDINALITY AS b (pool_key, first, last, ordinal),
               LATERAL %s.reserve(b.pool_key, ?, ?, (?::text[])[b.first : b.last],
                                  (?::integer[])[b.first : b.last], ?, ?) AS r
        """,
        (connection, statement) -> {
          bind(connection, statement, batches, wait);
          try (ResultSet rows = statement.executeQuery()) {
            return decisions(batches, rows);
          }
        });
  }

  private void bind(
      Connection connection,
      PreparedStatement statement,
      List<PoolQueues.Batch<SeatRequest>> batches,
      boolean wait)
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
    statement.setArray(1, connection.createArrayOf("text", pools.toArray()));
    statement.setArray(2, connection.createArrayOf("integer", firsts.toArray()));
    statement.setArray(3, connection.createArrayOf("integer", lasts.toArray()));
    statement.setInt(4, config.defaultCapacity());
    statement.setShort(5, (short) ThreadLocalRandom.current().nextInt(REJECTION_STRIPES));
    statement.setArray(
        6,
        connection.createArrayOf("text", requests.stream().map(SeatRequest::requestId).toArray()));
    statement.setArray(
        7,
        connection.createArrayOf("integer", requests.stream().map(SeatRequest::seats).toArray()));
    statement.setBoolean(8, config.events().enabled());
    statement.setBoolean(9, wait);
  }

  /** The decisions of each pool; a pool that was left undecided is missing. */
  private static Map<PoolKey, List<Decision>> decisions(
      List<PoolQueues.Batch<SeatRequest>> batches, ResultSet rows) throws SQLException {
    Map<PoolKey, List<Decision>> decided = new HashMap<>();
    while (rows.next()) {
      PoolQueues.Batch<SeatRequest> batch = batches.get(rows.getInt("ordinal") - 1);
      List<Decision> decisions = decided.computeIfAbsent(batch.pool(), pool -> new ArrayList<>());
      decisions.add(
          new Decision(
              batch.requests().get(decisions.size()).requestId(),
              rows.getInt("o_seats"),
              rows.getBoolean("o_accepted") ? Decision.Outcome.ACCEPTED : Decision.Outcome.REJECTED,
              rows.getInt("o_capacity"),
              rows.getInt("o_reserved"),
              rows.getBoolean("o_replayed")));
    }
    return decided;
  }
}

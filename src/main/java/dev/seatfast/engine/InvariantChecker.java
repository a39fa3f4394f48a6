package dev.seatfast.engine;

import dev.seatfast.database.Database;
import dev.seatfast.database.Parameters;
import dev.seatfast.database.Session;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares pools' counters with their attempts, page by page in the order of the pools' keys. A
 * page is read in one snapshot, so that the check may run while decisions go on. No statement reads
 * more than {@value #ATTEMPTS_PER_STATEMENT_MAX} attempts, however large the tables are.
 */
@Singleton
public class InvariantChecker {

  private static final int POOLS_PER_PAGE_MAX = 500;
  private static final int ATTEMPTS_PER_STATEMENT_MAX = 50_000;

  private final Database database;

  InvariantChecker(Database database) {
    this.database = database;
  }

  /** What a pool's row says, or what its attempts add up to. */
  public record Counts(
      long takenSeats, long confirmedSeats, long confirmedRequests, long rejectedRequests) {

    private static final Counts NONE = new Counts(0, 0, 0, 0);

    private Counts plus(Counts other) {
      return new Counts(
          takenSeats + other.takenSeats,
          confirmedSeats + other.confirmedSeats,
          confirmedRequests + other.confirmedRequests,
          rejectedRequests + other.rejectedRequests);
    }
  }

  /** A pool whose row and attempts tell different stories. */
  public record Disagreement(String poolKey, Counts counted, Counts attempts) {}

  /**
   * What one page showed.
   *
   * @param pools how many pools it compared
   * @param attempts how many attempts it read
   * @param last the key of its last pool, or null if no pool follows
   * @param disagreements the pools that disagree
   */
  public record Page(int pools, long attempts, String last, List<Disagreement> disagreements) {}

  /**
   * Checks up to {@value #POOLS_PER_PAGE_MAX} pools.
   *
   * @param after the key of the last pool that was checked, or an empty text to begin
   */
  public Page check(String after) {
    return database.inSnapshot(session -> page(session, after));
  }

  private static Page page(Session session, String after) throws SQLException {
    NavigableMap<String, Counts> counted = readPools(session, after);
    int pools = counted.size();
    String last = pools == POOLS_PER_PAGE_MAX ? counted.lastKey() : null;
    NavigableMap<String, Counts> added = new TreeMap<>();
    long attempts = 0;
    Key end = last == null ? Key.END : Key.behind(last);
    Key from = Key.behind(after);
    addRejections(session, from, end, counted);
    while (!from.equals(end)) {
      Key to = chunkEnd(session, from, end).orElse(end);
      attempts += addUp(session, from, to, added);
      from = to;
    }
    return new Page(pools, attempts, last, disagreements(counted, added));
  }

  private static List<Disagreement> disagreements(
      Map<String, Counts> counted, Map<String, Counts> added) {
    Set<String> pools = new TreeSet<>(counted.keySet());
    pools.addAll(added.keySet());
    return pools.stream()
        .map(
            pool ->
                new Disagreement(
                    pool,
                    counted.getOrDefault(pool, Counts.NONE),
                    added.getOrDefault(pool, Counts.NONE)))
        .filter(pool -> !pool.counted().equals(pool.attempts()))
        .toList();
  }

  /** A place in the primary key of the attempts. */
  private record Key(String poolKey, String requestId, String owner, int generation) {

    /** Every pool's key begins with a letter. */
    private static final Key END = new Key("~", "", "", 0);

    /** Behind all attempts of a pool. */
    static Key behind(String poolKey) {
      return new Key(poolKey + '\u0001', "", "", 0);
    }

    void bind(Parameters parameters) throws SQLException {
      parameters.add(poolKey).add(requestId).add(owner).add(generation);
    }
  }

  /** The counters of up to {@value #POOLS_PER_PAGE_MAX} pools, without rejections. */
  private static NavigableMap<String, Counts> readPools(Session session, String after)
      throws SQLException {
    NavigableMap<String, Counts> pools = new TreeMap<>();
    session
        .list(
            """
            SELECT pool_key, reserved, confirmed_seats, confirmed_requests
              FROM {schema}.seat_pool
             WHERE pool_key > ?
             ORDER BY pool_key
             LIMIT ?
            """,
            parameters -> parameters.add(after).add(POOLS_PER_PAGE_MAX),
            row ->
                Map.entry(
                    row.getString("pool_key"),
                    new Counts(
                        row.getLong("reserved"),
                        row.getLong("confirmed_seats"),
                        row.getLong("confirmed_requests"),
                        0)))
        .forEach(pool -> pools.put(pool.getKey(), pool.getValue()));
    return pools;
  }

  /** Adds the rejections that are counted for pools from one key to another. */
  private static void addRejections(Session session, Key from, Key end, Map<String, Counts> counted)
      throws SQLException {
    session
        .list(
            """
            SELECT pool_key, sum(rejected) AS rejected
              FROM {schema}.rejection_tally
             WHERE pool_key >= ? AND pool_key < ?
             GROUP BY pool_key
            """,
            parameters -> parameters.add(from.poolKey()).add(end.poolKey()),
            row ->
                Map.entry(row.getString("pool_key"), new Counts(0, 0, 0, row.getLong("rejected"))))
        .forEach(pool -> counted.merge(pool.getKey(), pool.getValue(), Counts::plus));
  }

  /** Returns where the next chunk begins, if this one is full. */
  private static Optional<Key> chunkEnd(Session session, Key from, Key end) throws SQLException {
    return session.first(
        """
        SELECT pool_key, request_id, owner, generation
          FROM {schema}.reservation_attempt
         WHERE (pool_key, request_id, owner, generation) >= (?, ?, ?, ?)
           AND (pool_key, request_id, owner, generation) < (?, ?, ?, ?)
         ORDER BY pool_key, request_id, owner, generation
         LIMIT 1 OFFSET ?
        """,
        parameters -> {
          from.bind(parameters);
          end.bind(parameters);
          parameters.add(ATTEMPTS_PER_STATEMENT_MAX);
        },
        row ->
            new Key(
                row.getString("pool_key"),
                row.getString("request_id"),
                row.getString("owner"),
                row.getInt("generation")));
  }

  /** Adds the attempts of a chunk to their pools, and returns their number. */
  private static long addUp(Session session, Key from, Key to, Map<String, Counts> added)
      throws SQLException {
    record OfPool(String poolKey, Counts counts, long attempts) {}
    List<OfPool> pools =
        session.list(
            """
            SELECT pool_key,
                   coalesce(sum(seats) FILTER (WHERE state IN ('CONFIRMED', 'HELD')), 0) AS taken_seats,
                   coalesce(sum(seats) FILTER (WHERE state = 'CONFIRMED'), 0) AS confirmed_seats,
                   count(*) FILTER (WHERE state = 'CONFIRMED') AS confirmed_requests,
                   count(*) FILTER (WHERE state = 'REJECTED') AS rejected_requests,
                   count(*) AS attempts
              FROM {schema}.reservation_attempt
             WHERE (pool_key, request_id, owner, generation) >= (?, ?, ?, ?)
               AND (pool_key, request_id, owner, generation) < (?, ?, ?, ?)
             GROUP BY pool_key
            """,
            parameters -> {
              from.bind(parameters);
              to.bind(parameters);
            },
            row ->
                new OfPool(
                    row.getString("pool_key"),
                    new Counts(
                        row.getLong("taken_seats"),
                        row.getLong("confirmed_seats"),
                        row.getLong("confirmed_requests"),
                        row.getLong("rejected_requests")),
                    row.getLong("attempts")));
    pools.forEach(pool -> added.merge(pool.poolKey(), pool.counts(), Counts::plus));
    return pools.stream().mapToLong(OfPool::attempts).sum();
  }
}

package dev.seatfast.engine;

import dev.seatfast.database.Database;
import dev.seatfast.database.RowMapper;
import dev.seatfast.database.Session;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Marks holds whose time has passed and returns their seats to the counters. Nothing depends on it:
 * decisions find expired holds themselves. It keeps the rows tidy, and brings the events of holds
 * in idle pools.
 *
 * <p>Bounds: a batch has at most {@value #HOLDS_PER_BATCH_MAX} holds, and one of its transactions
 * locks at most {@value #POOLS_PER_TRANSACTION_MAX} pools. It skips pools that other transactions
 * have locked, so that any number of instances may sweep at once, and goes on behind them.
 */
@Singleton
public class Sweep {

  private static final int HOLDS_PER_BATCH_MAX = 500;
  private static final int POOLS_PER_TRANSACTION_MAX = 16;

  private final Database database;
  private final EngineConfig config;

  Sweep(Database database, EngineConfig config) {
    this.database = database;
    this.config = config;
  }

  /** A place among the expired holds, in the order of their ends and then of their pools' keys. */
  public record Position(Instant expiresAt, String poolKey) {

    /** Before all of them. */
    public static final Position START = new Position(Instant.EPOCH, "");
  }

  /**
   * What one batch did.
   *
   * @param seats the seats that it gave back
   * @param skipped whether it left holds of pools that other transactions had locked
   * @param next where the next batch begins, or null if this one was the last
   */
  public record Batch(int seats, boolean skipped, Position next) {}

  private record Due(String poolKey, Instant expiresAt) {}

  /** Does more in each transaction of a sweep that gives seats back. */
  @FunctionalInterface
  public interface Recorder {

    /** Of a sweep that nobody asked for. */
    Recorder NONE = (session, seats) -> {};

    void record(Session session, int seats) throws SQLException;
  }

  /** Sweeps one batch of the holds behind a position. */
  public Batch runBatch(Position from, Recorder recorder) {
    List<Due> due = dueBehind(from);
    Map<String, Integer> holdsOfPools = new TreeMap<>();
    due.forEach(hold -> holdsOfPools.merge(hold.poolKey(), 1, Integer::sum));
    List<String> pools = List.copyOf(holdsOfPools.keySet());
    int seats = 0;
    boolean skipped = false;
    for (int first = 0; first < pools.size(); first += POOLS_PER_TRANSACTION_MAX) {
      List<String> some =
          pools.subList(first, Math.min(first + POOLS_PER_TRANSACTION_MAX, pools.size()));
      for (Integer freed : tidy(some, some.stream().map(holdsOfPools::get).toList(), recorder)) {
        skipped |= freed == null;
        seats += freed == null ? 0 : freed;
      }
    }
    if (seats > 0) {
      database.wrote();
    }
    return new Batch(seats, skipped, next(from, due, skipped));
  }

  /** Holds that were swept are gone, so only skipped ones need to be passed over. */
  private static Position next(Position from, List<Due> due, boolean skipped) {
    if (due.size() < HOLDS_PER_BATCH_MAX) {
      return null;
    }
    Due last = due.get(due.size() - 1);
    return skipped ? new Position(last.expiresAt(), last.poolKey()) : from;
  }

  private List<Due> dueBehind(Position position) {
    return database.list(
        """
        SELECT pool_key, expires_at
          FROM {schema}.reservation_attempt
         WHERE state = 'HELD' AND expires_at <= statement_timestamp()
           AND (expires_at, pool_key) > (?, ?)
         ORDER BY expires_at, pool_key
         LIMIT ?
        """,
        parameters ->
            parameters.add(position.expiresAt()).add(position.poolKey()).add(HOLDS_PER_BATCH_MAX),
        row -> new Due(row.getString("pool_key"), RowMapper.instant(row, "expires_at")));
  }

  /** Returns for each pool the seats that came free, or null if another transaction has it. */
  private List<Integer> tidy(List<String> pools, List<Integer> holds, Recorder recorder) {
    return database.inTransaction(
        session -> {
          List<Integer> freed =
              session.list(
                  """
                  SELECT {schema}.tidy_pool(t.pool_key, t.holds, ?, false) AS seats
                    FROM unnest(?::text[], ?::integer[]) AS t (pool_key, holds)
                  """,
                  parameters ->
                      parameters.add(config.events().enabled()).addTexts(pools).addIntegers(holds),
                  row -> row.getObject("seats", Integer.class));
          int seats = freed.stream().filter(Objects::nonNull).mapToInt(Integer::intValue).sum();
          if (seats > 0) {
            recorder.record(session, seats);
          }
          return freed;
        });
  }
}

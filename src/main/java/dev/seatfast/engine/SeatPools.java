package dev.seatfast.engine;

import dev.seatfast.database.Database;
import dev.seatfast.database.Session;
import jakarta.inject.Singleton;
import java.sql.SQLException;

/** The pools' own rows, in SQL. */
@Singleton
public class SeatPools {

  /** As many as the database's constraint allows. */
  public static final int CAPACITY_MAX = 1_000_000_000;

  /** A bound for the work of one read; what is left is subtracted. */
  private static final int HOLDS_ENDED_MAX = 2_000;

  private final Database database;
  private final EngineConfig config;

  SeatPools(Database database, EngineConfig config) {
    this.database = database;
    this.config = config;
  }

  /**
   * Counts as they were read.
   *
   * @param dueSeats the seats of holds that are past their end but not marked; the counts leave
   *     them out
   * @param unflushed whether a crash of the database can still take the counts back
   */
  record Reading(PoolStatus status, int dueSeats, boolean unflushed) {

    /** False while a confirmation of the last instant may still be committing. */
    boolean isFinal() {
      return dueSeats == 0;
    }
  }

  /**
   * Reads a pool's counts like {@link #read}. Where they are not final, it waits for the pool's
   * lock and marks the holds that have ended, which changes no count that anybody sees.
   */
  PoolStatus status(PoolKey pool) {
    Reading reading = read(pool);
    if (!reading.isFinal()) {
      endExpiredHolds(pool);
      reading = read(pool);
    }
    return reading.status();
  }

  /**
   * Reads a pool's counts, all from one instant. It costs the same however many attempts the pool
   * has had; an unused pool shows the default capacity and is not created.
   */
  Reading read(PoolKey pool) {
    Reading reading = readNow(pool);
    if (reading.unflushed()) {
      database.awaitFlush();
    }
    return reading;
  }

  private Reading readNow(PoolKey pool) {
    return database.one(
        """
        SELECT coalesce(p.capacity, k.default_capacity) AS capacity,
               coalesce(p.reserved, 0) AS reserved,
               coalesce(p.confirmed_requests, 0) AS confirmed_requests,
               coalesce(p.confirmed_seats, 0) AS confirmed_seats,
               (SELECT coalesce(sum(t.rejected), 0)
                  FROM {schema}.rejection_tally t WHERE t.pool_key = k.pool_key) AS rejected_requests,
               CASE WHEN p.next_expiry <= statement_timestamp() THEN
                 (SELECT coalesce(sum(h.seats), 0)
                    FROM {schema}.reservation_attempt h
                   WHERE h.pool_key = k.pool_key AND h.state = 'HELD'
                     AND h.expires_at <= statement_timestamp())
               ELSE 0 END AS due_seats,
               p.released_at IS NOT NULL AS unflushed
          FROM (VALUES (?::text COLLATE "C", ?::integer)) AS k (pool_key, default_capacity)
          LEFT JOIN {schema}.seat_pool p ON p.pool_key = k.pool_key
        """,
        parameters -> parameters.add(pool.value()).add(config.defaultCapacity()),
        row ->
            new Reading(
                new PoolStatus(
                    row.getInt("capacity"),
                    row.getInt("reserved") - row.getInt("due_seats"),
                    row.getLong("confirmed_requests"),
                    row.getLong("rejected_requests"),
                    row.getInt("confirmed_seats")),
                row.getInt("due_seats"),
                row.getBoolean("unflushed")));
  }

  /**
   * Returns once all that was read of a pool before is safe from a crash of the database. It costs
   * a read, unless decisions of the pool gave its lock back early.
   */
  public void awaitFlush(PoolKey pool) {
    if (database
        .first(
            "SELECT FROM {schema}.seat_pool WHERE pool_key = ? AND released_at IS NOT NULL",
            parameters -> parameters.add(pool.value()),
            row -> true)
        .isPresent()) {
      database.awaitFlush();
    }
  }

  /** Marks holds of a pool whose time has passed, and returns their seats to its counter. */
  void endExpiredHolds(PoolKey pool) {
    database.one(
        "SELECT {schema}.tidy_pool(?, ?, ?, true)",
        parameters ->
            parameters.add(pool.value()).add(HOLDS_ENDED_MAX).add(config.events().enabled()),
        row -> row.getInt(1));
  }

  /**
   * What became of a change of a pool's capacity.
   *
   * @param changed false, with nothing changed, if more seats are taken than that
   * @param before the capacity until then; null if nobody had used the pool
   */
  public record CapacityChange(boolean changed, Integer before) {}

  /** Does more in the transaction that sets a capacity. */
  @FunctionalInterface
  public interface CapacityRecorder {
    void record(Session session, CapacityChange change) throws SQLException;
  }

  /**
   * Sets a pool's capacity, and makes the pool if nobody used it yet. Decisions that were made stay
   * as they are.
   *
   * @param capacity 0 to {@value #CAPACITY_MAX}
   * @param recorder runs in the same transaction, if the capacity was set
   */
  public CapacityChange setCapacity(PoolKey pool, int capacity, CapacityRecorder recorder) {
    CapacityChange change =
        database.inTransaction(
            session -> {
              CapacityChange made =
                  session.one(
                      "SELECT o_changed, o_before FROM {schema}.set_capacity(?, ?, ?)",
                      parameters ->
                          parameters.add(pool.value()).add(capacity).add(config.events().enabled()),
                      row ->
                          new CapacityChange(
                              row.getBoolean("o_changed"),
                              row.getObject("o_before", Integer.class)));
              if (made.changed()) {
                recorder.record(session, made);
              }
              return made;
            });
    if (change.changed()) {
      database.wrote();
    }
    return change;
  }
}

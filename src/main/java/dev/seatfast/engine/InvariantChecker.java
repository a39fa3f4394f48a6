package dev.seatfast.engine;

import dev.seatfast.database.Database;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Compares every pool's counters with its attempts. It reads everything at one instant, so it may
 * run while decisions go on, and costs as much as there are attempts.
 */
@Singleton
public class InvariantChecker {

  private static final int DISAGREEMENTS_MAX = 100;

  private final Database database;

  InvariantChecker(Database database) {
    this.database = database;
  }

  /** What a pool's row says, or what its attempts add up to. */
  public record Counts(
      long takenSeats, long confirmedSeats, long confirmedRequests, long rejectedRequests) {}

  /** A pool whose row and attempts tell different stories. */
  public record Disagreement(String poolKey, Counts counted, Counts attempts) {}

  /**
   * @return the pools that disagree, at most {@value #DISAGREEMENTS_MAX} of them; none if all is
   *     well
   */
  public List<Disagreement> check() {
    return database.list(
        """
        WITH attempts AS (
            SELECT pool_key,
                   coalesce(sum(seats) FILTER (WHERE state IN ('CONFIRMED', 'HELD')), 0) AS taken_seats,
                   coalesce(sum(seats) FILTER (WHERE state = 'CONFIRMED'), 0) AS confirmed_seats,
                   count(*) FILTER (WHERE state = 'CONFIRMED') AS confirmed_requests,
                   count(*) FILTER (WHERE state = 'REJECTED') AS rejected_requests
              FROM {schema}.reservation_attempt
             GROUP BY pool_key
        ), tallies AS (
            SELECT pool_key, sum(rejected) AS rejected_requests
              FROM {schema}.rejection_tally
             GROUP BY pool_key
        ), both_sides AS (
            SELECT pool_key,
                   coalesce(p.reserved, 0) AS p_taken, coalesce(a.taken_seats, 0) AS a_taken,
                   coalesce(p.confirmed_seats, 0) AS p_seats, coalesce(a.confirmed_seats, 0) AS a_seats,
                   coalesce(p.confirmed_requests, 0) AS p_requests,
                   coalesce(a.confirmed_requests, 0) AS a_requests,
                   coalesce(t.rejected_requests, 0) AS p_rejected,
                   coalesce(a.rejected_requests, 0) AS a_rejected
              FROM {schema}.seat_pool p
              FULL JOIN attempts a USING (pool_key)
              FULL JOIN tallies t USING (pool_key)
        )
        SELECT * FROM both_sides
         WHERE (p_taken, p_seats, p_requests, p_rejected) <> (a_taken, a_seats, a_requests, a_rejected)
         ORDER BY pool_key
         LIMIT ?
        """,
        parameters -> parameters.add(DISAGREEMENTS_MAX),
        row ->
            new Disagreement(
                row.getString("pool_key"),
                new Counts(
                    row.getLong("p_taken"),
                    row.getLong("p_seats"),
                    row.getLong("p_requests"),
                    row.getLong("p_rejected")),
                new Counts(
                    row.getLong("a_taken"),
                    row.getLong("a_seats"),
                    row.getLong("a_requests"),
                    row.getLong("a_rejected"))));
  }
}

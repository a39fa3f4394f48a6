package dev.seatfast.operators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.engine.PoolKey;
import dev.seatfast.support.Client;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.QueryTimeoutException;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class AttemptsTest {

  private static final int ALL = 5_000;
  private static final int PAGE = 50;

  @Inject Attempts attempts;
  @Inject EntityManager database;
  @Inject DataSource dataSource;

  private final PoolKey pool = PoolKey.ofWorkshop(Client.freshWorkshop());

  /** Each request id has three attempts: holds that were cancelled. */
  @BeforeEach
  void fill() {
    QuarkusTransaction.requiringNew()
        .run(
            () -> {
              database
                  .createNativeQuery("INSERT INTO seatfast.seat_pool VALUES (?1, 4)")
                  .setParameter(1, pool.value())
                  .executeUpdate();
              database
                  .createNativeQuery(
                      """
                      INSERT INTO seatfast.reservation_attempt
                             (pool_key, request_id, generation, seats, state, reserved_after,
                              reservation_id, owner, expires_at, settled_at)
                      SELECT ?1, 'request-' || to_char(i / 3, 'FM00000'), i % 3, 1, 'CANCELLED', 1,
                             gen_random_uuid(), 'ann', now(), now()
                        FROM generate_series(0, ?2 - 1) i
                      """)
                  .setParameter(1, pool.value())
                  .setParameter(2, ALL)
                  .executeUpdate();
            });
    // Without statistics, the planner takes any condition to be as good as another.
    QuarkusTransaction.requiringNew()
        .run(
            () ->
                database.createNativeQuery("ANALYZE seatfast.reservation_attempt").executeUpdate());
  }

  @Test
  void thePagesHaveEveryAttemptOnceInTheOrderOfItsKey() {
    List<String> seen = new ArrayList<>();
    AttemptCursor cursor = new AttemptCursor("", "", 0);
    List<Attempt> page;
    do {
      page = attempts.page(pool, cursor, PAGE);
      for (Attempt attempt : page) {
        seen.add(attempt.requestId + " " + attempt.generation);
        cursor = AttemptCursor.behind(attempt);
      }
    } while (page.size() == PAGE);
    assertEquals(seen.stream().sorted().distinct().toList(), seen);
    assertEquals(ALL, seen.size());
  }

  @Test
  void aPageCostsItsOwnRowsHoweverManyComeBeforeIt() {
    long read =
        QuarkusTransaction.requiringNew()
            .call(
                () -> {
                  long before = rowsRead();
                  AttemptCursor late = new AttemptCursor("request-01500", "ann", 1);
                  assertEquals(PAGE, attempts.page(pool, late, PAGE).size());
                  return rowsRead() - before;
                });
    assertTrue(read <= 2 * PAGE, "rows read: " + read);
  }

  @Test
  void aPageThatTakesTooLongIsGivenUpAsAnyStatementIs() throws Exception {
    try (Connection other = dataSource.getConnection();
        Statement lock = other.createStatement()) {
      other.setAutoCommit(false);
      lock.execute("LOCK TABLE seatfast.reservation_attempt IN ACCESS EXCLUSIVE MODE");
      assertThrows(
          QueryTimeoutException.class,
          () -> attempts.page(pool, new AttemptCursor("", "", 0), PAGE));
      other.rollback();
    }
  }

  /** The rows of attempts that the current transaction has read so far. */
  private long rowsRead() {
    Number rows =
        (Number)
            database
                .createNativeQuery(
                    """
                    SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)
                      FROM pg_stat_xact_user_tables
                     WHERE schemaname = 'seatfast' AND relname = 'reservation_attempt'
                    """,
                    Long.class)
                .getSingleResult();
    return rows.longValue();
  }
}

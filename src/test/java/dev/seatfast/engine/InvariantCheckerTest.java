package dev.seatfast.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.seatfast.database.Database;
import dev.seatfast.database.RolledBackException;
import dev.seatfast.engine.InvariantChecker.Counts;
import dev.seatfast.engine.InvariantChecker.Disagreement;
import dev.seatfast.support.Client;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class InvariantCheckerTest {

  @Inject InvariantChecker checker;
  @Inject ReservationStore store;
  @Inject Database database;

  private final PoolKey pool = PoolKey.ofWorkshop(Client.freshWorkshop());

  @BeforeEach
  void threeDecisions() {
    store.reserve(
        List.of(
            new RequestKind.Batch<>(
                pool,
                List.of(
                    new SeatRequest("one", 1),
                    new SeatRequest("two", 2),
                    new SeatRequest("four", 4)))),
        true);
  }

  @AfterEach
  void removeThePool() {
    for (String table : List.of("seat_pool", "reservation_attempt", "rejection_tally")) {
      change("DELETE FROM {schema}." + table + " WHERE pool_key = ?");
    }
  }

  @Test
  void findsNothingWhereAllIsWell() {
    assertEquals(List.of(), Invariants.disagreements(checker));
  }

  @Test
  void namesAPoolWithASeatTooMany() {
    change("UPDATE {schema}.seat_pool SET reserved = reserved + 1 WHERE pool_key = ?");
    assertEquals(
        List.of(new Disagreement(pool.value(), new Counts(4, 3, 2, 1), new Counts(3, 3, 2, 1))),
        Invariants.disagreements(checker));
  }

  @Test
  void namesAPoolThatForgotAnAttempt() {
    change("DELETE FROM {schema}.reservation_attempt WHERE request_id = 'two' AND pool_key = ?");
    assertEquals(
        List.of(new Disagreement(pool.value(), new Counts(3, 3, 2, 1), new Counts(1, 1, 1, 1))),
        Invariants.disagreements(checker));
  }

  @Test
  void namesAPoolWhoseRejectionsAreMiscounted() {
    change("UPDATE {schema}.rejection_tally SET rejected = 7 WHERE pool_key = ?");
    assertEquals(
        List.of(new Disagreement(pool.value(), new Counts(3, 3, 2, 7), new Counts(3, 3, 2, 1))),
        Invariants.disagreements(checker));
  }

  @Test
  void namesAttemptsWithoutAPool() {
    change("DELETE FROM {schema}.seat_pool WHERE pool_key = ?");
    assertEquals(
        List.of(new Disagreement(pool.value(), new Counts(0, 0, 0, 1), new Counts(3, 3, 2, 1))),
        Invariants.disagreements(checker));
  }

  @Test
  void theDatabaseItselfRefusesToOversell() {
    assertThrows(
        RolledBackException.class,
        () -> change("UPDATE {schema}.seat_pool SET reserved = capacity + 1 WHERE pool_key = ?"));
  }

  private void change(String sql) {
    database.update(sql, parameters -> parameters.add(pool.value()));
  }
}

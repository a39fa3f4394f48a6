package dev.seatfast.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.database.Database;
import dev.seatfast.database.Parameters;
import dev.seatfast.database.RowMapper;
import dev.seatfast.database.Session;
import dev.seatfast.support.Client;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pools that are not always open, on the database's clock. */
@QuarkusTest
class OpeningTest {

  private static final Instant PAST = Instant.parse("2020-01-01T00:00:00Z");
  private static final Instant FUTURE = Instant.parse("2999-01-01T00:00:00Z");
  private static final Opening NOT_YET = new Opening(FUTURE, null, false);
  private static final Opening OVER = new Opening(null, PAST, false);
  private static final Opening PAUSED = new Opening(PAST, FUTURE, true);
  private static final Opening NOW = new Opening(PAST, FUTURE, false);

  @Inject ReservationEngine reservations;
  @Inject ReservationStore store;
  @Inject HoldEngine holds;
  @Inject PoolOpenings openings;
  @Inject SeatPools pools;
  @Inject InvariantChecker invariants;
  @Inject Database database;

  private final PoolKey pool = PoolKey.ofWorkshop(Client.freshWorkshop());

  @ParameterizedTest
  @CsvSource({
    "false,,,OPEN",
    "true,,,PAUSED",
    "false,12:00:00.000001,,NOT_OPEN",
    "false,12:00:00,,OPEN",
    "false,,12:00:00,CLOSED",
    "false,,12:00:00.000001,OPEN",
    "false,11:00:00,13:00:00,OPEN",
    "true,12:30:00,13:00:00,NOT_OPEN",
    "true,10:00:00,11:00:00,CLOSED",
    "true,11:00:00,13:00:00,PAUSED"
  })
  void aPoolIsOpenFromItsOpeningOnAndBeforeItsClosing(
      boolean paused, String opensAt, String closesAt, String reason) {
    assertEquals(
        reason,
        database.one(
            "SELECT coalesce({schema}.shut_reason(?, ?, ?, ?), 'OPEN')",
            parameters ->
                parameters
                    .add(paused)
                    .add(onADay(opensAt))
                    .add(onADay(closesAt))
                    .add(onADay("12:00:00")),
            row -> row.getString(1)));
  }

  private static Instant onADay(String time) {
    return time == null ? null : Instant.parse("2026-12-01T" + time + "Z");
  }

  @Test
  void aRequestToAShutPoolIsNotDecidedAndSucceedsLaterUnderTheSameId() {
    for (Opening shut : List.of(NOT_YET, OVER, PAUSED)) {
      PoolKey other = PoolKey.ofWorkshop(Client.freshWorkshop());
      set(other, shut);
      assertInstanceOf(Shut.class, reserve(other, "one", 1));
      assertInstanceOf(Shut.class, hold(other, "one", "ann"));
      assertEquals(new PoolStatus(4, 0, 0, 0, 0), pools.status(other));
      assertEquals(0, attempts(other));
      set(other, NOW);
      assertEquals(
          new Decision("one", 1, Decision.Outcome.ACCEPTED, 4, 1, false), reserve(other, "one", 1));
      assertFalse(held(hold(other, "one", "ann")).replayed());
    }
  }

  @Test
  void theAnswerSaysWhyAndFromWhenToWhen() {
    set(pool, NOT_YET);
    assertEquals(new Shut(Shut.Reason.NOT_OPEN, FUTURE, null), reserve(pool, "one", 1));
    assertEquals(new Shut(Shut.Reason.NOT_OPEN, FUTURE, null), hold(pool, "one", "ann"));
    set(pool, OVER);
    assertEquals(new Shut(Shut.Reason.CLOSED, null, PAST), reserve(pool, "one", 1));
    assertEquals(new Shut(Shut.Reason.CLOSED, null, PAST), hold(pool, "one", "ann"));
    set(pool, PAUSED);
    assertEquals(new Shut(Shut.Reason.PAUSED, PAST, FUTURE), reserve(pool, "one", 1));
    assertEquals(new Shut(Shut.Reason.PAUSED, PAST, FUTURE), hold(pool, "one", "ann"));
  }

  @Test
  void aPoolThatIsFullAndShutRejectsNobodyForGood() {
    reserve(pool, "all", 4);
    set(pool, PAUSED);
    assertInstanceOf(Shut.class, reserve(pool, "late", 1));
    assertEquals(0, pools.status(pool).rejectedRequests());
  }

  @Test
  void whatWasDecidedBeforeIsStillAnswered() {
    Decision accepted = (Decision) reserve(pool, "first", 3);
    Decision rejected = (Decision) reserve(pool, "second", 2);
    HoldAnswer.Held held = held(hold(pool, "third", "ann"));
    for (Opening shut : List.of(NOT_YET, OVER, PAUSED)) {
      set(pool, shut);
      assertEquals(accepted.replay(), reserve(pool, "first", 3));
      assertEquals(rejected.replay(), reserve(pool, "second", 2));
      assertEquals(held.replay(), hold(pool, "third", "ann"));
    }
  }

  @Test
  void aBatchGetsDecisionsOfBeforeAndIsOtherwiseShut() {
    Decision first = (Decision) reserve(pool, "first", 3);
    set(pool, PAUSED);
    Shut shut = new Shut(Shut.Reason.PAUSED, PAST, FUTURE);
    RequestKind.Batch<SeatRequest> batch =
        new RequestKind.Batch<>(
            pool,
            List.of(
                new SeatRequest("new", 1), new SeatRequest("first", 3), new SeatRequest("b", 1)));
    RequestKind.Batch<SeatRequest> ofAnother =
        new RequestKind.Batch<>(
            PoolKey.ofWorkshop(Client.freshWorkshop()), List.of(new SeatRequest("new", 1)));
    RequestKind.Outcome<SeatAnswer> expected =
        new RequestKind.Outcome.Decided<>(List.of(shut, first.replay(), shut));
    assertEquals(expected, store.reserve(List.of(batch), true).get(0));
    assertEquals(
        List.of(
            expected,
            new RequestKind.Outcome.Decided<SeatAnswer>(
                List.of(new Decision("new", 1, Decision.Outcome.ACCEPTED, 4, 1, false)))),
        store.reserve(List.of(batch, ofAnother), false));
    assertEquals(1, attempts(pool));
  }

  @Test
  void aHoldIsSettledWhetherOrNotThePoolIsShut() {
    UUID confirmed = held(hold(pool, "one", "ann")).reservationId();
    UUID cancelled = held(hold(pool, "two", "ann")).reservationId();
    UUID ended = held(hold(pool, "three", "ann")).reservationId();
    set(pool, OVER);
    assertEquals(Settlement.Outcome.DONE, settle(Settlement.Action.EXTEND, confirmed));
    assertEquals(Settlement.Outcome.DONE, settle(Settlement.Action.CONFIRM, confirmed));
    assertEquals(Settlement.Outcome.DONE, settle(Settlement.Action.CANCEL, cancelled));
    HoldTime.letPass(database, pool);
    assertEquals(Settlement.Outcome.EXPIRED, settle(Settlement.Action.CONFIRM, ended));
    assertInstanceOf(Shut.class, hold(pool, "three", "ann"));
    assertEquals(1, pools.status(pool).reserved());
  }

  @Test
  void theOpeningOfAPoolThatNobodyUsedCanBeSetAndRead() {
    assertEquals(Opening.ALWAYS, openings.read(pool));
    List<Opening> before = new ArrayList<>();
    openings.set(pool, PAUSED, (session, opening) -> before.add(opening));
    openings.set(pool, OVER, (session, opening) -> before.add(opening));
    assertEquals(List.of(Opening.ALWAYS, PAUSED), before);
    assertEquals(OVER, openings.read(pool));
    assertEquals(4, pools.status(pool).capacity());
    assertThrows(IllegalArgumentException.class, () -> new Opening(PAST, PAST, false));
  }

  @RepeatedTest(3)
  void aroundTheOpeningEachIdIsShutBeforeAndDecidedOnceAfter() throws Exception {
    Instant opensAt = now().plus(Duration.ofMillis(150));
    set(pool, new Opening(opensAt, null, false));
    List<Callable<Boolean>> clients = new ArrayList<>();
    for (int c = 0; c < 8; c++) {
      String id = "request-" + c % 4; // two clients share each id
      clients.add(
          () -> {
            boolean shut = false;
            while (true) {
              Instant before = now();
              SeatAnswer answer = reserve(pool, id, 2);
              if (answer instanceof Decision) {
                assertFalse(now().isBefore(opensAt), "decided before it was open");
                return shut;
              }
              assertTrue(before.isBefore(opensAt), "shut after it was open");
              shut = true;
            }
          });
    }
    assertTrue(Client.atOnce(clients).contains(true), "nobody came early");
    assertEquals(new PoolStatus(4, 4, 2, 2, 4), pools.status(pool));
    assertEquals(4, attempts(pool));
  }

  @RepeatedTest(3)
  void oncePausedNothingIsTakenAndWhatWasDecidedStaysSo() throws Exception {
    Capacities.set(pools, pool, 1_000_000);
    AtomicBoolean paused = new AtomicBoolean();
    List<Callable<Void>> clients = new ArrayList<>();
    for (int c = 0; c < 16; c++) {
      String name = "client-" + c + "-";
      clients.add(
          () -> {
            for (int i = 0, late = 0; late < 5; i++) {
              boolean after = paused.get();
              SeatAnswer answer = reserve(pool, name + i, 1);
              HoldAnswer hold = hold(pool, name + i, "ann");
              if (after) {
                late++;
                assertInstanceOf(Shut.class, answer);
                assertInstanceOf(Shut.class, hold);
              } else if (answer instanceof Decision) {
                assertInstanceOf(Decision.class, reserve(pool, name + i, 1));
              }
            }
            return null;
          });
    }
    clients.add(
        () -> {
          while (pools.status(pool).reserved() < 100) {
            Thread.onSpinWait();
          }
          set(pool, PAUSED);
          paused.set(true);
          return null;
        });
    Client.atOnce(clients);
    assertEquals(List.of(), Invariants.disagreements(invariants));
  }

  @Test
  void aRequestThatWaitsWhileThePoolIsPausedFindsItPaused() {
    reserve(pool, "before", 1);
    CompletableFuture<SeatAnswer> waiting =
        whileWaiting(this::pause, () -> reserve(pool, "late", 1));
    assertEquals(new Shut(Shut.Reason.PAUSED, null, null), waiting.join());
    assertEquals(1, attempts(pool));
  }

  @Test
  void aHoldThatIsAskedForWhileThePoolIsPausedIsNotMade() {
    reserve(pool, "before", 1);
    CompletableFuture<HoldAnswer> waiting =
        whileWaiting(this::pause, () -> hold(pool, "late", "ann"));
    assertEquals(new Shut(Shut.Reason.PAUSED, null, null), waiting.join());
    assertEquals(1, pools.status(pool).reserved());
  }

  @Test
  void aRequestThatWaitsWhileItIsDecidedAndThePoolPausedFindsItsDecision() {
    reserve(pool, "before", 1);
    CompletableFuture<SeatAnswer> waiting =
        whileWaiting(
            session -> {
              session.list(
                  "SELECT {schema}.reserve(?, 4, 0::smallint, ARRAY['same'], ARRAY[1], false, true)",
                  parameters -> parameters.add(pool.value()),
                  row -> 1);
              pause(session);
            },
            () -> reserve(pool, "same", 1));
    assertEquals(new Decision("same", 1, Decision.Outcome.ACCEPTED, 4, 2, true), waiting.join());
  }

  /** Does something with the pool's lock, and commits it once a request waits for that. */
  private <T> CompletableFuture<T> whileWaiting(Change change, Supplier<T> request) {
    return database.inTransaction(
        session -> {
          change.make(session);
          CompletableFuture<T> waiting = CompletableFuture.supplyAsync(request);
          while (waitingForLocks(session) == 0) {
            assertFalse(waiting.isDone(), "it did not wait");
          }
          return waiting;
        });
  }

  @FunctionalInterface
  private interface Change {
    void make(Session session) throws SQLException;
  }

  private void pause(Session session) throws SQLException {
    session.one(
        "SELECT o_paused FROM {schema}.set_opening(?, 4, null, null, true, false)",
        parameters -> parameters.add(pool.value()),
        row -> row.getBoolean(1));
  }

  private static int waitingForLocks(Session session) throws SQLException {
    return session.one(
        """
        SELECT count(*) FROM pg_locks WHERE NOT granted
           AND transactionid = pg_current_xact_id()::xid
        """,
        Parameters.Binder.NONE,
        row -> row.getInt(1));
  }

  private void set(PoolKey workshop, Opening opening) {
    openings.set(workshop, opening, (session, before) -> {});
  }

  private SeatAnswer reserve(PoolKey workshop, String id, int seats) {
    return join(reservations.reserve(workshop, new SeatRequest(id, seats)));
  }

  private HoldAnswer hold(PoolKey workshop, String id, String owner) {
    return join(holds.holdSeats(workshop, new HoldRequest(id, owner, 1, UUID.randomUUID())));
  }

  private static HoldAnswer.Held held(HoldAnswer answer) {
    return assertInstanceOf(HoldAnswer.Held.class, answer);
  }

  private Settlement.Outcome settle(Settlement.Action action, UUID id) {
    return join(holds.settle(pool, action, new Settlement.Request(id, "ann"))).outcome();
  }

  private int attempts(PoolKey workshop) {
    return database.one(
        "SELECT count(*) FROM {schema}.reservation_attempt WHERE pool_key = ? AND owner = ''",
        parameters -> parameters.add(workshop.value()),
        row -> row.getInt(1));
  }

  private Instant now() {
    return database.one(
        "SELECT clock_timestamp()",
        Parameters.Binder.NONE,
        row -> RowMapper.instant(row, "clock_timestamp"));
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}

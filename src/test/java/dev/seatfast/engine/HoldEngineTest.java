package dev.seatfast.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.database.Database;
import dev.seatfast.database.Parameters;
import dev.seatfast.database.RowMapper;
import dev.seatfast.engine.Settlement.Action;
import dev.seatfast.engine.Settlement.Outcome;
import dev.seatfast.support.Client;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Holds on the real database, with every sweep switched off unless a test runs one. */
@QuarkusTest
class HoldEngineTest {

  @Inject HoldEngine engine;
  @Inject ReservationEngine reservations;
  @Inject SlotGroups groups;
  @Inject SeatPools pools;
  @Inject Slots slots;
  @Inject Sweep sweep;
  @Inject InvariantChecker invariants;
  @Inject Database database;

  private static final Instant START = Instant.parse("2026-12-01T01:00:00Z");

  private final String tenant = UUID.randomUUID().toString();
  private final PoolKey slot = slot("room");

  @AfterEach
  void theCountersAgreeWithTheAttempts() {
    assertEquals(List.of(), Invariants.disagreements(invariants));
  }

  @RepeatedTest(3)
  void ofSixtyFourCallersOnANeverSeenSlotOneWins() throws Exception {
    PoolKey fresh = slot(UUID.randomUUID().toString());
    List<Callable<HoldAnswer>> calls = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      String user = "user-" + i;
      calls.add(() -> join(engine.holdSlot(fresh, request("key-" + user, user))));
    }
    assertEquals(
        1, Client.atOnce(calls).stream().filter(HoldAnswer.Held.class::isInstance).count());
  }

  @RepeatedTest(3)
  void fiftyConfirmsOfOneHoldAtOnceAreFiftyEqualSuccessesAndOneTransition() throws Exception {
    PoolKey fresh = slot(UUID.randomUUID().toString());
    UUID id = held(join(engine.holdSlot(fresh, request("key", "ann")))).reservationId();
    List<Callable<Settlement>> calls =
        Collections.nCopies(50, () -> settle(fresh, Action.CONFIRM, id, "ann"));
    assertEquals(
        List.of(Outcome.DONE),
        Client.atOnce(calls).stream().map(Settlement::outcome).distinct().toList());
    assertEquals(1, pools.status(fresh).acceptedRequests());
  }

  @Test
  void aHoldWhoseTimeHasPassedCountsForNothingAndStaysReadable() {
    UUID old = held(join(engine.holdSlot(slot, request("key", "ann")))).reservationId();
    letTimePass(slot);
    assertEquals(0, pools.status(slot).reserved());
    assertEquals(Outcome.EXPIRED, settle(slot, Action.CONFIRM, old, "ann").outcome());
    assertEquals(Outcome.EXPIRED, settle(slot, Action.EXTEND, old, "ann").outcome());
    assertEquals(Outcome.EXPIRED, settle(slot, Action.CANCEL, old, "ann").outcome());
    assertEquals("EXPIRED", find(slot, old).state());

    UUID next = held(join(engine.holdSlot(slot, request("other", "bob")))).reservationId();
    assertEquals("EXPIRED", find(slot, old).state());
    assertEquals(Outcome.EXPIRED, settle(slot, Action.CONFIRM, old, "ann").outcome());
    assertEquals(Outcome.DONE, settle(slot, Action.CONFIRM, next, "bob").outcome());
    assertEquals(1, pools.status(slot).reserved());
  }

  @Test
  void theSameKeyAfterItsHoldExpiredMakesANewHold() {
    HoldAnswer.Held first = held(join(engine.holdSlot(slot, request("key", "ann"))));
    assertEquals(
        first.reservationId(),
        held(join(engine.holdSlot(slot, request("key", "ann")))).reservationId());
    letTimePass(slot);
    HoldAnswer.Held second = held(join(engine.holdSlot(slot, request("key", "ann"))));
    assertNotEquals(first.reservationId(), second.reservationId());
    assertEquals(
        Outcome.EXPIRED, settle(slot, Action.CONFIRM, first.reservationId(), "ann").outcome());
    assertEquals(
        Outcome.DONE, settle(slot, Action.CONFIRM, second.reservationId(), "ann").outcome());
  }

  @Test
  void aRefusalIsNotRemembered() {
    UUID id = held(join(engine.holdSlot(slot, request("key", "ann")))).reservationId();
    assertInstanceOf(
        HoldAnswer.Refused.class, join(engine.holdSlot(slot, request("other", "bob"))));
    assertEquals(Outcome.DONE, settle(slot, Action.CANCEL, id, "ann").outcome());
    held(join(engine.holdSlot(slot, request("other", "bob"))));
  }

  @Test
  void onlyItsOwnerMayChangeAHold() {
    UUID id = held(join(engine.holdSlot(slot, request("key", "ann")))).reservationId();
    for (Action action : Action.values()) {
      assertEquals(Outcome.NOT_OWNER, settle(slot, action, id, "bob").outcome());
      assertEquals(Outcome.NOT_FOUND, settle(slot, action, UUID.randomUUID(), "ann").outcome());
    }
    assertEquals("HELD", find(slot, id).state());
  }

  @Test
  void cancellingFreesExactlyOnceBeforeAndAfterConfirming() throws Exception {
    for (boolean confirmed : new boolean[] {false, true}) {
      PoolKey workshop = PoolKey.ofWorkshop(Client.freshWorkshop());
      UUID id = held(join(engine.holdSeats(workshop, seats("key", "ann", 2)))).reservationId();
      held(join(engine.holdSeats(workshop, seats("other", "bob", 1))));
      if (confirmed) {
        settle(workshop, Action.CONFIRM, id, "ann");
      }
      List<Callable<Settlement>> cancels =
          Collections.nCopies(20, () -> settle(workshop, Action.CANCEL, id, "ann"));
      assertEquals(
          List.of(Outcome.DONE),
          Client.atOnce(cancels).stream().map(Settlement::outcome).distinct().toList());
      assertEquals(1, pools.status(workshop).reserved());
      assertEquals(0, pools.status(workshop).acceptedRequests());
      assertEquals(Outcome.CANCELLED, settle(workshop, Action.CONFIRM, id, "ann").outcome());
      assertEquals("CANCELLED", find(workshop, id).state());
    }
  }

  @Test
  void extendingGivesTimeButNotForEver() {
    HoldAnswer.Held hold = held(join(engine.holdSlot(slot, request("key", "ann"))));
    change(
        "UPDATE {schema}.reservation_attempt SET decided_at = decided_at - interval '14 minutes 58 seconds'"
            + " WHERE pool_key = ?",
        slot);
    Settlement extended = settle(slot, Action.EXTEND, hold.reservationId(), "ann");
    assertEquals(Outcome.TOO_LONG, extended.outcome(), "15 minutes in all are nearly over");
    change(
        "UPDATE {schema}.reservation_attempt SET decided_at = now(), expires_at = expires_at - interval '1 s'"
            + " WHERE pool_key = ?",
        slot);
    extended = settle(slot, Action.EXTEND, hold.reservationId(), "ann");
    assertEquals(Outcome.DONE, extended.outcome());
    assertTrue(extended.expiresAt().isAfter(hold.expiresAt().minusSeconds(1)));
    settle(slot, Action.CONFIRM, hold.reservationId(), "ann");
    assertEquals(
        Outcome.CONFIRMED, settle(slot, Action.EXTEND, hold.reservationId(), "ann").outcome());
  }

  @Test
  void aDirectReservationCannotTakeWhatSomebodyHoldsUntilThatExpires() {
    PoolKey workshop = PoolKey.ofWorkshop(Client.freshWorkshop());
    held(join(engine.holdSeats(workshop, seats("key", "ann", 3))));
    assertEquals(
        Decision.Outcome.REJECTED, decide(workshop, new SeatRequest("direct", 2)).outcome());
    assertEquals(
        Decision.Outcome.ACCEPTED,
        decide(workshop, new SeatRequest("key", 1)).outcome(),
        "the same word for another kind of request is another id");
    letTimePass(workshop);
    assertEquals(1, pools.status(workshop).reserved());
    assertEquals(
        new Decision("later", 3, Decision.Outcome.ACCEPTED, 4, 4, false),
        decide(workshop, new SeatRequest("later", 3)));
  }

  @RepeatedTest(3)
  void atTheInstantOfExpiryEveryHoldEndsInExactlyOneWay() throws Exception {
    List<PoolKey> workshops = new ArrayList<>();
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      PoolKey workshop = PoolKey.ofWorkshop(Client.freshWorkshop());
      for (int seat = 0; seat < 4; seat++) {
        workshops.add(workshop);
        ids.add(
            held(join(engine.holdSeats(workshop, seats("key-" + seat, "ann", 1)))).reservationId());
      }
    }
    Instant end = expireAllHeldIn(Duration.ofMillis(300));
    AtomicBoolean over = new AtomicBoolean();
    Thread sweeper =
        new Thread(
            () -> {
              while (!over.get()) {
                sweep.runBatch(Sweep.Position.START, Sweep.Recorder.NONE);
              }
            });
    sweeper.start();
    List<CompletionStage<Settlement>> confirms = new ArrayList<>();
    Random random = new Random();
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      order.add(i);
    }
    Collections.shuffle(order, random);
    TimeUnit.MILLISECONDS.sleep(Math.max(0, Duration.between(now(), end).toMillis() - 50));
    for (int i : order) {
      confirms.add(
          engine.settle(
              workshops.get(i), Action.CONFIRM, new Settlement.Request(ids.get(i), "ann")));
      if (confirms.size() % 10 == 0) {
        TimeUnit.MILLISECONDS.sleep(1); // spread over about 100 ms around the end
      }
    }
    for (int n = 0; n < order.size(); n++) {
      int i = order.get(n);
      Outcome outcome = join(confirms.get(n)).outcome();
      assertTrue(outcome == Outcome.DONE || outcome == Outcome.EXPIRED, outcome.name());
      assertEquals(
          outcome == Outcome.DONE ? "CONFIRMED" : "EXPIRED",
          find(workshops.get(i), ids.get(i)).state());
    }
    over.set(true);
    sweeper.join();
  }

  @Test
  void groupsNamedInAnyOrderNeverDeadlockAndAreHeldWholeOrNotAtAll() throws Exception {
    List<PoolKey> slots = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      slots.add(slot("seat-" + i));
    }
    List<Callable<Optional<HoldAnswer.Held>>> calls = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      List<PoolKey> mine = new ArrayList<>(slots);
      Collections.rotate(mine, i);
      if (i % 2 == 1) {
        Collections.reverse(mine);
      }
      String user = "user-" + i;
      calls.add(() -> join(groups.hold(mine.subList(0, 4), request("key-" + user, user))));
    }
    List<Optional<HoldAnswer.Held>> answers = Client.atOnce(calls);
    long won = answers.stream().filter(Optional::isPresent).count();
    assertEquals(1, won, "two groups of four of six slots always meet");
    assertEquals(4, slots.stream().mapToInt(s -> pools.status(s).reserved()).sum());
  }

  @Test
  void aGroupIsConfirmedCancelledAndExpiresWhole() {
    List<PoolKey> slots = List.of(slot("b"), slot("a"), slot("c"));
    HoldRequest request = request("key", "ann");
    UUID group = join(groups.hold(slots, request)).orElseThrow().reservationId();
    assertEquals(
        group,
        join(groups.hold(List.of(slots.get(2), slots.get(0), slots.get(1)), request("key", "ann")))
            .orElseThrow()
            .reservationId(),
        "the same group again");
    assertTrue(
        join(groups.hold(slots.subList(0, 2), request("key", "ann"))).isEmpty(),
        "the same key for other slots is a conflict");
    assertEquals(
        Outcome.PART_OF_GROUP, settle(slots.get(0), Action.CONFIRM, group, "ann").outcome());
    assertEquals(Outcome.NOT_OWNER, settleGroup(Action.CONFIRM, group, "bob").outcome());
    assertEquals(
        Outcome.NOT_FOUND,
        join(groups.settle("another", Action.CONFIRM, new Settlement.Request(group, "ann")))
            .outcome());
    assertEquals(Outcome.DONE, settleGroup(Action.EXTEND, group, "ann").outcome());
    assertEquals(Outcome.DONE, settleGroup(Action.CONFIRM, group, "ann").outcome());
    assertEquals(Outcome.DONE, settleGroup(Action.CONFIRM, group, "ann").outcome());
    slots.forEach(s -> assertEquals(1, pools.status(s).acceptedRequests()));
    assertEquals(Outcome.DONE, settleGroup(Action.CANCEL, group, "ann").outcome());
    slots.forEach(s -> assertEquals(0, pools.status(s).reserved()));

    UUID again = join(groups.hold(slots, request("key", "ann"))).orElseThrow().reservationId();
    assertNotEquals(group, again);
    slots.forEach(this::letTimePass);
    assertEquals(Outcome.EXPIRED, settleGroup(Action.CONFIRM, again, "ann").outcome());
    slots.forEach(s -> assertEquals(0, pools.status(s).reserved()));
  }

  @Test
  void theSlotsOfAGroupEndAtOneInstantAlsoAfterItWasExtended() {
    List<PoolKey> slots = IntStream.range(0, 32).mapToObj(i -> slot("resource-" + i)).toList();
    UUID group = join(groups.hold(slots, request("key", "ann"))).orElseThrow().reservationId();
    Settlement extended = settleGroup(Action.EXTEND, group, "ann");
    assertEquals(Outcome.DONE, extended.outcome());
    slots.forEach(slot -> assertEquals(extended.expiresAt(), find(slot, group).expiresAt()));
  }

  @Test
  void groupsThatWaitForASlotLeaveThreadsToOtherPools() {
    PoolKey locked = slot("locked");
    held(join(engine.holdSlot(locked, request("key", "bob"))));
    letTimePass(locked); // so that it may be free
    List<CompletionStage<Optional<HoldAnswer.Held>>> waiting = new ArrayList<>();
    locking(
        locked,
        () -> {
          for (int i = 0; i < 20; i++) {
            List<PoolKey> slots = List.of(locked, slot("other-" + i));
            waiting.add(groups.hold(slots, request("key-" + i, "ann")));
          }
          for (int i = 0; i < 50; i++) {
            held(join(engine.holdSlot(slot("free-" + i), request("key", "ann"))));
          }
        });
    assertEquals(
        1, waiting.stream().map(HoldEngineTest::answered).filter(Optional::isPresent).count());
  }

  /** Some waited for too long for their turn. */
  private static Optional<HoldAnswer.Held> answered(
      CompletionStage<Optional<HoldAnswer.Held>> group) {
    return group.exceptionally(fault -> Optional.empty()).toCompletableFuture().join();
  }

  @Test
  void aKeyBelongsToItsUser() {
    PoolKey slot = slot("a");
    HoldAnswer.Held first = held(join(engine.holdSlot(slot, request("key", "ann"))));
    assertInstanceOf(HoldAnswer.Refused.class, join(engine.holdSlot(slot, request("key", "bob"))));
    assertEquals(Outcome.DONE, settle(slot, Action.CANCEL, first.reservationId(), "ann").outcome());
    HoldAnswer.Held second = held(join(engine.holdSlot(slot, request("key", "bob"))));
    assertFalse(second.replayed());
    assertNotEquals(first.reservationId(), second.reservationId());
    assertEquals("CANCELLED", find(slot, first.reservationId()).state());
  }

  @Test
  void nobodyIsToldThatAHoldExpiredWhileItsConfirmationIsCommitting() {
    PoolKey slot = slot("a");
    UUID id = held(join(engine.holdSlot(slot, request("key", "ann")))).reservationId();
    Instant end = HoldTime.endIn(database, slot, Duration.ofMillis(500));
    List<CompletionStage<?>> asked = new ArrayList<>();
    database.inTransaction(
        session -> {
          String outcome =
              session.one(
                  """
                  SELECT o_outcome
                    FROM {schema}.settle(?, 'CONFIRM', ?, ?, interval '2 min', interval '15 min',
                                         false, true)
                  """,
                  parameters ->
                      parameters.add(slot.value()).addUuids(List.of(id)).addTexts(List.of("ann")),
                  row -> row.getString("o_outcome"));
          assertEquals("DONE", outcome);
          while (!now().isAfter(end)) {
            Thread.onSpinWait();
          }
          asked.add(
              engine
                  .settle(slot, Action.CONFIRM, new Settlement.Request(id, "ann"))
                  .thenAccept(s -> assertEquals(Outcome.DONE, s.outcome())));
          asked.add(
              engine
                  .settle(slot, Action.EXTEND, new Settlement.Request(id, "ann"))
                  .thenAccept(s -> assertEquals(Outcome.CONFIRMED, s.outcome())));
          asked.add(
              engine
                  .find(slot, id)
                  .thenAccept(hold -> assertEquals("CONFIRMED", hold.orElseThrow().state())));
          asked.add(
              reservations.status(slot).thenAccept(status -> assertEquals(1, status.reserved())));
          asked.add(
              slots
                  .find(tenant, "a", START)
                  .thenAccept(found -> assertEquals(Slot.State.CONFIRMED, found.state())));
          return null;
        });
    asked.forEach(HoldEngineTest::join);
  }

  @Test
  void theLastSlotOfAllIsReadAsItIs() {
    Instant last = Instant.parse("9999-12-31T23:59:59.999Z");
    PoolKey slot = PoolKey.ofSlot(tenant, "a", last);
    assertEquals(Slot.State.FREE, join(slots.find(tenant, "a", last)).state());
    UUID id = held(join(engine.holdSlot(slot, request("key", "ann")))).reservationId();
    assertEquals(Slot.State.HELD, join(slots.find(tenant, "a", last)).state());
    settle(slot, Action.CONFIRM, id, "ann");
    assertEquals(Slot.State.CONFIRMED, join(slots.find(tenant, "a", last)).state());
  }

  @Test
  void aCapacityMayFallBelowWhatExpiredHoldsTook() {
    PoolKey workshop = PoolKey.ofWorkshop(Client.freshWorkshop());
    held(join(engine.holdSeats(workshop, new HoldRequest("key", "ann", 3, UUID.randomUUID()))));
    assertFalse(Capacities.set(pools, workshop, 2));
    letTimePass(workshop);
    assertTrue(Capacities.set(pools, workshop, 2));
    assertEquals(2, pools.status(workshop).capacity());
  }

  private void locking(PoolKey pool, Runnable action) {
    database.inTransaction(
        session -> {
          session.one(
              "SELECT 1 FROM {schema}.seat_pool WHERE pool_key = ? FOR UPDATE",
              parameters -> parameters.add(pool.value()),
              row -> row.getInt(1));
          action.run();
          return null;
        });
  }

  @Test
  void aGroupThatMeetsATakenSlotLeavesTheOthersFree() {
    List<PoolKey> slots = List.of(slot("a"), slot("b"), slot("c"));
    held(join(engine.holdSlot(slots.get(1), request("key", "bob"))));
    assertTrue(join(groups.hold(slots, request("key", "ann"))).isEmpty());
    assertEquals(0, pools.status(slots.get(0)).reserved());
    assertEquals(0, pools.status(slots.get(2)).reserved());
  }

  private Settlement settleGroup(Action action, UUID group, String user) {
    return join(groups.settle(tenant, action, new Settlement.Request(group, user)));
  }

  private Settlement settle(PoolKey pool, Action action, UUID id, String user) {
    return join(engine.settle(pool, action, new Settlement.Request(id, user)));
  }

  private Hold find(PoolKey pool, UUID id) {
    return join(engine.find(pool, id)).orElseThrow();
  }

  private PoolKey slot(String resource) {
    return PoolKey.ofSlot(tenant, resource, START);
  }

  private static HoldRequest request(String key, String user) {
    return seats(key, user, 1);
  }

  private static HoldRequest seats(String key, String user, int seats) {
    return new HoldRequest(key, user, seats, UUID.randomUUID());
  }

  private static HoldAnswer.Held held(HoldAnswer answer) {
    return assertInstanceOf(HoldAnswer.Held.class, answer);
  }

  private Decision decide(PoolKey workshop, SeatRequest request) {
    return (Decision) join(reservations.reserve(workshop, request));
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  /** Moves the ends of a pool's holds into the past instead of waiting for them. */
  private void letTimePass(PoolKey pool) {
    HoldTime.letPass(database, pool);
  }

  private void change(String sql, PoolKey pool) {
    database.update(sql, parameters -> parameters.add(pool.value()));
  }

  private Instant expireAllHeldIn(Duration time) {
    return database.one(
        "WITH ends AS (SELECT clock_timestamp() + make_interval(secs => ?) AS at), changed AS ("
            + " UPDATE {schema}.reservation_attempt SET expires_at = (SELECT at FROM ends)"
            + " WHERE state = 'HELD') SELECT at FROM ends",
        parameters -> parameters.add(time),
        row -> RowMapper.instant(row, "at"));
  }

  private Instant now() {
    return database.one(
        "SELECT clock_timestamp() AS at",
        Parameters.Binder.NONE,
        row -> RowMapper.instant(row, "at"));
  }
}

package dev.seatfast.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.database.Database;
import dev.seatfast.database.UnavailableException;
import dev.seatfast.support.Client;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** What must be true of decisions, for random mixes of requests, on the real database. */
@QuarkusTest
class ReservationEngineTest {

  private static final int CAPACITY = 4;

  @Inject ReservationEngine engine;
  @Inject ReservationStore store;
  @Inject SeatPools pools;
  @Inject InvariantChecker invariants;

  @RepeatedTest(20)
  void oneByOneEveryAnswerIsTheOneOfASimpleModel() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    PoolKey pool = freshPool();
    Model model = new Model();
    for (int i = 0; i < 30; i++) {
      SeatRequest request = randomRequest(random, 15);
      Decision expected = model.decide(request);
      assertEquals(expected, decide(pool, request), "seed " + seed);
    }
    assertEquals(model.status(), pools.status(pool), "seed " + seed);
  }

  @RepeatedTest(20)
  void aBatchGivesTheSameAnswersAsOneByOne() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    PoolKey pool = freshPool();
    Capacities.set(pools, pool, 20);
    Model model = new Model(20);
    for (int batch = 0; batch < 4; batch++) {
      Map<String, SeatRequest> distinct = new HashMap<>();
      for (int i = 0; i < 8; i++) {
        SeatRequest request = randomRequest(random, 20);
        distinct.putIfAbsent(request.requestId(), request);
      }
      List<SeatRequest> requests = new ArrayList<>(distinct.values());
      List<Decision> expected = requests.stream().map(model::decide).toList();
      assertEquals(expected, reserve(pool, requests), "seed " + seed);
    }
    assertEquals(model.status(), pools.status(pool), "seed " + seed);
  }

  @RepeatedTest(5)
  void concurrentlyNothingIsOversoldAndEveryIdHasOneDecision() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<PoolKey> few = List.of(freshPool(), freshPool(), freshPool());
    record Asked(PoolKey pool, SeatRequest request) {}
    List<Callable<Map.Entry<Asked, Decision>>> calls = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      Asked asked = new Asked(few.get(random.nextInt(few.size())), randomRequest(random, 20));
      calls.add(() -> Map.entry(asked, decide(asked.pool(), asked.request())));
    }
    Map<Asked, Decision.Outcome> outcomes = new HashMap<>();
    Map<PoolKey, Map<String, Decision>> first = new HashMap<>();
    for (Map.Entry<Asked, Decision> answer : Client.atOnce(calls)) {
      Decision decision = answer.getValue();
      assertTrue(decision.reserved() <= CAPACITY, "seed " + seed);
      Decision other =
          first
              .computeIfAbsent(answer.getKey().pool(), p -> new HashMap<>())
              .putIfAbsent(decision.requestId(), decision);
      if (other != null) {
        assertEquals(other.outcome(), decision.outcome(), "seed " + seed);
        assertEquals(other.seats(), decision.seats(), "seed " + seed);
      }
      outcomes.put(answer.getKey(), decision.outcome());
    }
    for (PoolKey pool : few) {
      int accepted =
          first.getOrDefault(pool, Map.of()).values().stream()
              .filter(decision -> decision.outcome() == Decision.Outcome.ACCEPTED)
              .mapToInt(Decision::seats)
              .sum();
      assertEquals(accepted, pools.status(pool).reserved(), "seed " + seed);
    }
    assertEquals(List.of(), Invariants.disagreements(invariants));
  }

  @Test
  void aReadSeesEveryDecisionThatWasAnsweredBeforeIt() throws Exception {
    PoolKey pool = freshPool();
    Capacities.set(pools, pool, 10_000);
    List<Callable<Integer>> clients = new ArrayList<>();
    for (int c = 0; c < 32; c++) {
      String name = "client-" + c + "-";
      clients.add(
          () -> {
            int stale = 0;
            for (int i = 0; i < 50; i++) {
              int reserved = decide(pool, new SeatRequest(name + i, 1)).reserved();
              int seen = engine.status(pool).toCompletableFuture().join().reserved();
              stale += seen < reserved ? 1 : 0;
            }
            return stale;
          });
    }
    assertEquals(0, Client.atOnce(clients).stream().mapToInt(Integer::intValue).sum());
    assertEquals(1_600, engine.status(pool).toCompletableFuture().join().reserved());
  }

  @Test
  void aSoldOutPoolRejectsWhileItsRowIsLockedByAnotherTransaction() {
    PoolKey pool = freshPool();
    decide(pool, new SeatRequest("all", 4));
    withPoolLocked(
        pool,
        () -> {
          assertEquals(
              Decision.Outcome.REJECTED, decide(pool, new SeatRequest("late", 1)).outcome());
          assertTrue(decide(pool, new SeatRequest("all", 4)).replayed());
        });
  }

  @Test
  void aPoolWhoseRowStaysLockedIsUnavailableAndNothingIsDecided() {
    PoolKey pool = freshPool();
    decide(pool, new SeatRequest("one", 1));
    withPoolLocked(
        pool,
        () -> {
          CompletableFuture<SeatAnswer> answer =
              engine.reserve(pool, new SeatRequest("two", 1)).toCompletableFuture();
          Throwable fault = answer.handle((decision, e) -> e).join();
          assertEquals(
              UnavailableException.Reason.UNDONE,
              ((UnavailableException) fault.getCause()).reason());
        });
    assertEquals(1, pools.status(pool).reserved());
    assertEquals(
        new Decision("two", 1, Decision.Outcome.ACCEPTED, CAPACITY, 2, false),
        decide(pool, new SeatRequest("two", 1)));
  }

  @Inject Database database;

  private void withPoolLocked(PoolKey pool, Runnable action) {
    database.inTransaction(
        session -> {
          session.one(
              "SELECT 1 FROM {schema}.seat_pool WHERE pool_key = ? FOR UPDATE",
              parameters -> parameters.add(pool.value()),
              row -> row.getInt(1));
          action.run();
          session.rollBack();
          return null;
        });
  }

  @Test
  void capacityCanGrowAndShrinkButNotBelowWhatIsTaken() {
    PoolKey pool = freshPool();
    decide(pool, new SeatRequest("all", 4));
    assertEquals(Decision.Outcome.REJECTED, decide(pool, new SeatRequest("early", 2)).outcome());
    assertTrue(Capacities.set(pools, pool, 6));
    assertEquals(
        Decision.Outcome.REJECTED,
        decide(pool, new SeatRequest("early", 2)).outcome(),
        "a rejection is for ever");
    assertEquals(Decision.Outcome.ACCEPTED, decide(pool, new SeatRequest("later", 2)).outcome());
    assertEquals(false, Capacities.set(pools, pool, 5));
    assertEquals(6, pools.status(pool).capacity());
  }

  private List<Decision> reserve(PoolKey pool, List<SeatRequest> requests) {
    return decided(store.reserve(List.of(new RequestKind.Batch<>(pool, requests)), true).get(0));
  }

  private static List<Decision> decided(RequestKind.Outcome<SeatAnswer> outcome) {
    return ((RequestKind.Outcome.Decided<SeatAnswer>) outcome)
        .answers().stream().map(Decision.class::cast).toList();
  }

  @Test
  void poolsThatShareATransactionAreEachDecidedAsIfAlone() {
    List<RequestKind.Batch<SeatRequest>> batches = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      PoolKey pool = freshPool();
      if (i % 3 > 0) {
        decide(pool, new SeatRequest("before", i % 3 * 2)); // two seats, or all of them
      }
      batches.add(
          new RequestKind.Batch<>(
              pool, List.of(new SeatRequest("one", 2), new SeatRequest("two", 1 + i % 2))));
    }
    List<List<Decision>> answers =
        store.reserve(batches, false).stream().map(ReservationEngineTest::decided).toList();
    for (int i = 0; i < batches.size(); i++) {
      int before = i % 3 * 2;
      boolean first = before + 2 <= CAPACITY;
      int between = before + (first ? 2 : 0);
      int wanted = 1 + i % 2;
      boolean second = between + wanted <= CAPACITY;
      assertEquals(
          List.of(
              decision("one", 2, first, between),
              decision("two", wanted, second, between + (second ? wanted : 0))),
          answers.get(i));
    }
  }

  private static Decision decision(String id, int seats, boolean accepted, int reserved) {
    return new Decision(
        id,
        seats,
        accepted ? Decision.Outcome.ACCEPTED : Decision.Outcome.REJECTED,
        CAPACITY,
        reserved,
        false);
  }

  @Test
  void aLockedPoolDoesNotKeepThoseWaitingThatShareItsTransaction() {
    PoolKey locked = freshPool();
    PoolKey free = freshPool();
    decide(locked, new SeatRequest("before", 1));
    decide(free, new SeatRequest("before", 1));
    List<RequestKind.Batch<SeatRequest>> batches =
        List.of(
            new RequestKind.Batch<>(locked, List.of(new SeatRequest("now", 1))),
            new RequestKind.Batch<>(free, List.of(new SeatRequest("now", 1))));
    List<RequestKind.Outcome<SeatAnswer>> answers = new ArrayList<>();
    withPoolLocked(locked, () -> answers.addAll(store.reserve(batches, false)));
    assertInstanceOf(RequestKind.Outcome.Locked.class, answers.get(0));
    assertEquals(List.of(decision("now", 1, true, 2)), decided(answers.get(1)));
    assertEquals(1, pools.status(locked).reserved());
  }

  private Decision decide(PoolKey pool, SeatRequest request) {
    return (Decision) engine.reserve(pool, request).toCompletableFuture().join();
  }

  private static PoolKey freshPool() {
    return PoolKey.ofWorkshop(Client.freshWorkshop());
  }

  private static SeatRequest randomRequest(Random random, int ids) {
    return new SeatRequest("request-" + random.nextInt(ids), 1 + random.nextInt(4));
  }

  /** The rules in a few lines of Java. */
  private static final class Model {

    private final int capacity;
    private final Map<String, Decision> decisions = new HashMap<>();
    private int reserved;

    Model() {
      this(CAPACITY);
    }

    Model(int capacity) {
      this.capacity = capacity;
    }

    Decision decide(SeatRequest request) {
      Decision prior = decisions.get(request.requestId());
      if (prior != null) {
        return new Decision(
            prior.requestId(), prior.seats(), prior.outcome(), capacity, prior.reserved(), true);
      }
      boolean fits = reserved + request.seats() <= capacity;
      reserved += fits ? request.seats() : 0;
      Decision decision =
          new Decision(
              request.requestId(),
              request.seats(),
              fits ? Decision.Outcome.ACCEPTED : Decision.Outcome.REJECTED,
              capacity,
              reserved,
              false);
      decisions.put(request.requestId(), decision);
      return decision;
    }

    PoolStatus status() {
      long accepted =
          decisions.values().stream()
              .filter(decision -> decision.outcome() == Decision.Outcome.ACCEPTED)
              .count();
      return new PoolStatus(capacity, reserved, accepted, decisions.size() - accepted, reserved);
    }
  }
}

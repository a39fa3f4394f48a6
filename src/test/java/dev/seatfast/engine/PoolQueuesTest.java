package dev.seatfast.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.database.RolledBackException;
import dev.seatfast.database.UnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

class PoolQueuesTest {

  private static final PoolKey POOL = PoolKey.ofWorkshop("hot");
  private static final Duration WAIT_MAX = Duration.ofSeconds(3);
  private static final PoolKey OTHER = PoolKey.ofWorkshop("other");

  private final StepByStep executor = new StepByStep();
  private final List<List<String>> batches = new ArrayList<>();
  private int transactions;
  private long nanos = 1;

  @Test
  void aRequestForAnIdlePoolGoesAlone() {
    Queues queues = queues(10, 10, PoolQueuesTest::acceptAll);
    CompletableFuture<Decision> answer = queues.submit(POOL, request("a"));
    executor.runAll();
    assertEquals("a", answer.join().requestId());
    assertEquals(List.of(List.of("a")), batches);
  }

  @Test
  void requestsThatArriveDuringATransactionGoTogetherInTheOrderOfTheirArrival() {
    List<Queues> self = new ArrayList<>();
    Queues queues =
        queues(
            10,
            10,
            (pool, requests) -> {
              if (requests.get(0).requestId().equals("first")) {
                for (String id : List.of("b", "a", "c")) {
                  self.get(0).submit(POOL, request(id));
                }
              }
              return acceptAll(pool, requests);
            });
    self.add(queues);
    queues.submit(POOL, request("first"));
    executor.runAll();
    assertEquals(List.of(List.of("first"), List.of("b", "a", "c")), batches);
  }

  @Test
  void aPoolHasOneTransactionAtATimeAndOthersDoNotWaitForIt() {
    Queues queues = queues(10, 10, PoolQueuesTest::acceptAll);
    queues.submit(POOL, request("a"));
    queues.submit(POOL, request("b"));
    assertEquals(1, executor.waiting());
    queues.submit(OTHER, request("c"));
    assertEquals(2, executor.waiting());
  }

  @Test
  void poolsThatWaitForATransactionShareTheNextOne() {
    Queues queues = queues(10, 10, PoolQueuesTest::acceptAll);
    List<CompletableFuture<Decision>> answers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      answers.add(queues.submit(PoolKey.ofWorkshop("pool-" + i), request("r" + i)));
    }
    assertEquals(2, executor.waiting(), "as many as there may be transactions");
    executor.runAll();
    assertEquals(1, transactions);
    for (int i = 0; i < 6; i++) {
      assertEquals("r" + i, answers.get(i).join().requestId());
    }
  }

  @Test
  void aPoolThatHasToGoAloneIsDecidedAfterThoseItWouldHaveGoneWith() {
    List<String> order = new ArrayList<>();
    PoolQueues queues =
        new PoolQueues(executor, new PoolQueues.Limits(10, 10, 100, 1, WAIT_MAX), () -> nanos);
    RequestKind<String, String> kind =
        kind(
            (taken, mayWait) -> {
              order.add(taken.stream().map(RequestKind.Batch::requests).toList() + " " + mayWait);
              List<RequestKind.Outcome<String>> outcomes = new ArrayList<>();
              taken.forEach(
                  batch ->
                      outcomes.add(
                          !mayWait && batch.requests().contains("locked")
                              ? new RequestKind.Outcome.Locked<>()
                              : new RequestKind.Outcome.Decided<>(batch.requests())));
              return outcomes;
            });
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (String request : List.of("locked", "free")) {
      answers.add(queues.submit(PoolKey.ofWorkshop("pool-" + request), kind, request));
    }
    executor.runAll();
    assertEquals(List.of("[[locked], [free]] false", "[[locked]] true"), order);
    answers.forEach(answer -> assertTrue(answer.isDone()));
  }

  @Test
  void poolsThatSharedATransactionWithALockedOneAreFreeWhileThatOneIsWaitedFor() throws Exception {
    CountDownLatch unlocked = new CountDownLatch(1);
    RequestKind<String, String> kind =
        kind(
            (taken, mayWait) -> {
              if (mayWait && taken.get(0).requests().contains("locked")) {
                await(unlocked);
              }
              List<RequestKind.Outcome<String>> outcomes = new ArrayList<>();
              taken.forEach(
                  batch ->
                      outcomes.add(
                          !mayWait && batch.requests().contains("locked")
                              ? new RequestKind.Outcome.Locked<>()
                              : new RequestKind.Outcome.Decided<>(batch.requests())));
              return outcomes;
            });
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      PoolQueues queues =
          new PoolQueues(
              threads, new PoolQueues.Limits(10, 10, 100, 4, WAIT_MAX), System::nanoTime);
      List<CompletableFuture<String>> stuck = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        stuck.add(queues.submit(PoolKey.ofWorkshop("locked-" + i), kind, "locked"));
      }
      for (int round = 0; round < 50; round++) {
        List<CompletableFuture<String>> free = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          free.add(queues.submit(PoolKey.ofWorkshop("free-" + i), kind, "r" + round));
        }
        for (CompletableFuture<String> answer : free) {
          assertEquals("r" + round, answer.get(10, TimeUnit.SECONDS));
        }
      }
      assertTrue(stuck.stream().noneMatch(CompletableFuture::isDone));
      unlocked.countDown();
      for (CompletableFuture<String> answer : stuck) {
        assertEquals("locked", answer.get(10, TimeUnit.SECONDS));
      }
    } finally {
      unlocked.countDown();
      threads.shutdownNow();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void poolsWhoseSharedTransactionWasUndoneAreDecidedOneByOne() {
    List<Integer> sizes = new ArrayList<>();
    RequestKind<String, String> kind =
        kind(
            (taken, mayWait) -> {
              sizes.add(taken.size());
              if (taken.stream().anyMatch(batch -> batch.requests().contains("poison"))) {
                throw new RolledBackException(new SQLException("refused", "23514"));
              }
              return decided(taken);
            });
    PoolQueues queues =
        new PoolQueues(executor, new PoolQueues.Limits(10, 10, 100, 1, WAIT_MAX), () -> nanos);
    CompletableFuture<String> poison = queues.submit(PoolKey.ofWorkshop("a"), kind, "poison");
    CompletableFuture<String> healthy = queues.submit(PoolKey.ofWorkshop("b"), kind, "healthy");
    executor.runAll();
    assertEquals(List.of(2, 1, 1), sizes);
    assertEquals("healthy", healthy.join());
    assertTrue(poison.isCompletedExceptionally());
  }

  @Test
  void aDeciderThatAnswersTooFewLeavesThePoolUsable() {
    AtomicBoolean broken = new AtomicBoolean(true);
    RequestKind<String, String> kind =
        kind(
            (taken, mayWait) ->
                broken.get()
                    ? List.of(new RequestKind.Outcome.Decided<>(List.of()))
                    : decided(taken));
    PoolQueues queues =
        new PoolQueues(executor, new PoolQueues.Limits(10, 10, 100, 1, WAIT_MAX), () -> nanos);
    CompletableFuture<String> lost = queues.submit(POOL, kind, "a");
    executor.runAll();
    assertTrue(lost.isCompletedExceptionally());
    broken.set(false);
    CompletableFuture<String> next = queues.submit(POOL, kind, "b");
    executor.runAll();
    assertEquals("b", next.join());
  }

  private static List<RequestKind.Outcome<String>> decided(
      List<RequestKind.Batch<String>> batches) {
    return batches.stream()
        .<RequestKind.Outcome<String>>map(b -> new RequestKind.Outcome.Decided<>(b.requests()))
        .toList();
  }

  private static RequestKind<String, String> kind(RequestKind.Decider<String, String> decider) {
    return new RequestKind<>(request -> request, answer -> answer + " again", decider);
  }

  @Test
  void tooManyPoolsInLineAreRefused() {
    PoolQueues queues =
        new PoolQueues(executor, new PoolQueues.Limits(10, 10, 2, 1, WAIT_MAX), () -> nanos);
    RequestKind<String, String> letters = recording("letters", new ArrayList<>());
    for (int i = 0; i < 2; i++) {
      assertFalse(queues.submit(PoolKey.ofWorkshop("pool-" + i), letters, "x").isDone());
    }
    assertTrue(
        queues.submit(PoolKey.ofWorkshop("pool-3"), letters, "x").isCompletedExceptionally());
  }

  @Test
  void whatWaitedForTooLongIsRefusedAndNeverBegunAndTheRestIsDecided() {
    Queues queues = queues(10, 10, PoolQueuesTest::acceptAll);
    CompletableFuture<Decision> late = queues.submit(POOL, request("a"));
    CompletableFuture<Decision> alsoLate = queues.submit(OTHER, request("b"));
    nanos += 1;
    CompletableFuture<Decision> justInTime = queues.submit(POOL, request("c"));
    nanos += WAIT_MAX.toNanos();
    executor.runAll();
    for (CompletableFuture<Decision> refused : List.of(late, alsoLate)) {
      CompletionException fault = assertThrows(CompletionException.class, refused::join);
      assertEquals(
          UnavailableException.Reason.OVERLOADED,
          assertInstanceOf(UnavailableException.class, fault.getCause()).reason());
    }
    assertEquals("c", justInTime.join().requestId());
    assertEquals(List.of(List.of("c")), batches);
    assertEquals("d", decided(queues, OTHER, "d"), "its queue is in order");
  }

  private String decided(Queues queues, PoolKey pool, String id) {
    CompletableFuture<Decision> answer = queues.submit(pool, request(id));
    executor.runAll();
    return answer.join().requestId();
  }

  @Test
  void aBatchIsBoundedAndTheRestFollowsInOrder() {
    Queues queues = queues(2, 10, PoolQueuesTest::acceptAll);
    for (String id : List.of("a", "b", "c", "d", "e")) {
      queues.submit(POOL, request(id));
    }
    executor.runAll();
    assertEquals(List.of(List.of("a", "b"), List.of("c", "d"), List.of("e")), batches);
  }

  @Test
  void theSameRequestTwiceIsAskedOnceAndTheSecondIsAReplay() {
    Queues queues = queues(10, 10, PoolQueuesTest::acceptAll);
    List<CompletableFuture<Decision>> answers = new ArrayList<>();
    for (String id : List.of("a", "b", "a", "c", "a")) {
      answers.add(queues.submit(POOL, request(id)));
    }
    executor.runAll();
    assertEquals(List.of(List.of("a", "b", "c")), batches);
    assertEquals(
        List.of("a false", "b false", "a true", "c false", "a true"),
        answers.stream()
            .map(CompletableFuture::join)
            .map(decision -> decision.requestId() + " " + decision.replayed())
            .toList());
  }

  @Test
  void requestsOfDifferentKindsKeepTheirOrderInBatchesOfTheirOwn() {
    List<String> order = new ArrayList<>();
    PoolQueues queues =
        new PoolQueues(executor, new PoolQueues.Limits(10, 10, 100, 2, WAIT_MAX), () -> nanos);
    RequestKind<String, String> letters = recording("letters", order);
    RequestKind<String, String> digits = recording("digits", order);
    queues.submit(POOL, letters, "a");
    queues.submit(POOL, letters, "b");
    queues.submit(POOL, digits, "a");
    queues.submit(POOL, letters, "c");
    executor.runAll();
    assertEquals(List.of("letters [a, b]", "digits [a]", "letters [c]"), order);
  }

  private static RequestKind<String, String> recording(String name, List<String> order) {
    return kind(
        (taken, mayWait) -> {
          taken.forEach(batch -> order.add(name + " " + batch.requests()));
          return decided(taken);
        });
  }

  @Test
  void aFullQueueRefusesOneMoreAndStillAnswersTheOthers() {
    Queues queues = queues(10, 2, PoolQueuesTest::acceptAll);
    CompletableFuture<Decision> first = queues.submit(POOL, request("a"));
    CompletableFuture<Decision> second = queues.submit(POOL, request("b"));
    CompletableFuture<Decision> third = queues.submit(POOL, request("c"));
    UnavailableException refusal =
        assertInstanceOf(
            UnavailableException.class,
            assertThrows(CompletionException.class, third::join).getCause());
    assertEquals(UnavailableException.Reason.OVERLOADED, refusal.reason());
    executor.runAll();
    assertTrue(first.isDone() && second.isDone());
    assertEquals(List.of(List.of("a", "b")), batches);
  }

  @Test
  void anExecutorWithoutRoomRefusesARequestAndForgetsThePool() {
    Queues queues = queues(10, 10, PoolQueuesTest::acceptAll);
    executor.refusing = true;
    CompletableFuture<Decision> refused = queues.submit(POOL, request("a"));
    assertInstanceOf(
        UnavailableException.class,
        assertThrows(CompletionException.class, refused::join).getCause());
    executor.refusing = false;
    CompletableFuture<Decision> later = queues.submit(POOL, request("b"));
    executor.runAll();
    assertEquals("b", later.join().requestId());
  }

  @Test
  void whatWasTakenInIsDecidedThoughTheExecutorStopsTakingWork() {
    Queues queues = queues(1, 10, PoolQueuesTest::acceptAll);
    CompletableFuture<Decision> first = queues.submit(POOL, request("a"));
    CompletableFuture<Decision> second = queues.submit(POOL, request("b"));
    executor.refusing = true;
    executor.runAll();
    assertEquals("a", first.join().requestId());
    assertEquals("b", second.join().requestId());
  }

  @Test
  void aRequestThatTheDatabaseRefusesFailsAlone() {
    Queues queues =
        queues(
            10,
            10,
            (pool, requests) -> {
              if (requests.stream().anyMatch(request -> request.requestId().equals("poison"))) {
                throw new RolledBackException(new SQLException("refused", "23514"));
              }
              return acceptAll(pool, requests);
            });
    CompletableFuture<Decision> before = queues.submit(POOL, request("a"));
    CompletableFuture<Decision> poison = queues.submit(POOL, request("poison"));
    CompletableFuture<Decision> after = queues.submit(POOL, request("b"));
    executor.runAll();
    assertEquals("a", before.join().requestId());
    assertEquals("b", after.join().requestId());
    assertTrue(poison.isCompletedExceptionally());
  }

  @Test
  void anUnknownOutcomeIsTheAnswerToTheWholeBatchAndNothingIsTriedAgain() {
    Queues queues =
        queues(
            10,
            10,
            (pool, requests) -> {
              throw UnavailableException.overloaded("lost");
            });
    List<CompletableFuture<Decision>> answers =
        List.of(queues.submit(POOL, request("a")), queues.submit(POOL, request("b")));
    executor.runAll();
    assertEquals(List.of(List.of("a", "b")), batches);
    answers.forEach(answer -> assertTrue(answer.isCompletedExceptionally()));
  }

  @Test
  void aClientThatWentAwayCostsTheOthersNothing() {
    Queues queues = queues(10, 10, PoolQueuesTest::acceptAll);
    CompletableFuture<Decision> gone = queues.submit(POOL, request("a"));
    CompletableFuture<Decision> stays = queues.submit(POOL, request("b"));
    assertTrue(gone.cancel(false));
    executor.runAll();
    assertEquals("b", stays.join().requestId());
    assertFalse(stays.isCompletedExceptionally());
  }

  private Queues queues(
      int requestsMax,
      int waitingMax,
      BiFunction<PoolKey, List<SeatRequest>, List<Decision>> decide) {
    RequestKind<SeatRequest, Decision> kind =
        new RequestKind<>(
            SeatRequest::requestId,
            Decision::replay,
            (taken, mayWait) -> {
              transactions++;
              List<RequestKind.Outcome<Decision>> outcomes = new ArrayList<>();
              for (RequestKind.Batch<SeatRequest> batch : taken) {
                batches.add(batch.requests().stream().map(SeatRequest::requestId).toList());
                outcomes.add(
                    new RequestKind.Outcome.Decided<>(
                        decide.apply(batch.pool(), batch.requests())));
              }
              return outcomes;
            });
    return new Queues(
        new PoolQueues(
            executor,
            new PoolQueues.Limits(requestsMax, waitingMax, 100, 2, WAIT_MAX),
            () -> nanos),
        kind);
  }

  /** Queues for one kind of request. */
  private record Queues(PoolQueues queues, RequestKind<SeatRequest, Decision> kind) {

    CompletableFuture<Decision> submit(PoolKey pool, SeatRequest request) {
      return queues.submit(pool, kind, request);
    }
  }

  private static List<Decision> acceptAll(PoolKey pool, List<SeatRequest> requests) {
    return requests.stream()
        .map(
            request ->
                new Decision(
                    request.requestId(),
                    request.seats(),
                    Decision.Outcome.ACCEPTED,
                    100,
                    request.seats(),
                    false))
        .toList();
  }

  private static SeatRequest request(String id) {
    return new SeatRequest(id, 1);
  }

  /** Runs what it was given when the test says so. */
  private static final class StepByStep implements Executor {

    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private boolean refusing;

    @Override
    public void execute(Runnable task) {
      if (refusing) {
        throw new RejectedExecutionException();
      }
      tasks.add(task);
    }

    int waiting() {
      return tasks.size();
    }

    void runAll() {
      while (!tasks.isEmpty()) {
        tasks.poll().run();
      }
    }
  }
}

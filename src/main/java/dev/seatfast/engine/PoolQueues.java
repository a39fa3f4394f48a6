package dev.seatfast.engine;

import dev.seatfast.database.RolledBackException;
import dev.seatfast.database.UnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Natural batching: while a transaction for a pool runs in this process, further requests for that
 * pool wait, and all of one kind that wait in a row go together in the next one. Pools that wait
 * because all transactions are busy may share one, if their kind of request allows it.
 *
 * <p>Invariants: at most one transaction per pool at a time; a pool's requests are decided in the
 * order of their arrival; no request waits while its pool is idle and a transaction is to be had; a
 * pool's queue, the number of pools in line and the time that a request waits before it is begun
 * never exceed their bounds; an idle pool leaves nothing behind in memory.
 */
final class PoolQueues {

  /** The most pools that share a transaction; each holds its lock until the last is decided. */
  private static final int POOLS_PER_TRANSACTION_MAX = 16;

  private final Executor executor;
  private final Limits limits;
  private final LongSupplier nanoTime;

  /** What waits for each pool that has something waiting or under way. */
  private final Map<PoolKey, Deque<Waiting<?, ?>>> busyPools = new HashMap<>();

  /** The pools of which nothing is under way. */
  private final Deque<PoolKey> inLine = new ArrayDeque<>();

  private int transactions;

  /**
   * @param executor runs the transactions
   * @param nanoTime tells how long requests wait, like {@link System#nanoTime}
   */
  PoolQueues(Executor executor, Limits limits, LongSupplier nanoTime) {
    this.executor = executor;
    this.limits = limits;
    this.nanoTime = nanoTime;
  }

  /**
   * @param requestsMax the most requests in one transaction
   * @param waitingMax the most requests that wait for one pool
   * @param poolsMax the most pools that wait for a transaction
   * @param transactionsMax the most transactions at once
   * @param waitMax what waits for longer is not begun any more
   */
  record Limits(
      int requestsMax, int waitingMax, int poolsMax, int transactionsMax, Duration waitMax) {}

  /** Requests for one pool, to be decided in their order. */
  record Batch<Q>(PoolKey pool, List<Q> requests) {}

  /**
   * Requests that one transaction can decide together.
   *
   * @param id null, or what must differ between the requests of one batch
   * @param poolsMax how many pools may share a transaction
   * @param decide one transaction: for each batch, an answer for each request, in their order; or
   *     null for one of several batches that has to go alone
   */
  record Kind<Q, A>(
      Function<Q, ?> id, int poolsMax, Function<List<Batch<Q>>, List<List<A>>> decide) {

    /** Of which each pool has a transaction of its own. */
    static <Q, A> Kind<Q, A> ofOnePool(Function<Batch<Q>, List<A>> decide) {
      return new Kind<>(null, 1, batches -> List.of(decide.apply(batches.get(0))));
    }

    /** Of which pools may share a transaction, and that have an id of their own. */
    static <Q, A> Kind<Q, A> ofManyPools(
        Function<Q, ?> id, Function<List<Batch<Q>>, List<List<A>>> decide) {
      return new Kind<>(id, POOLS_PER_TRANSACTION_MAX, decide);
    }
  }

  private record Waiting<Q, A>(
      Kind<Q, A> kind, Q request, CompletableFuture<A> answer, long sinceNanos) {

    Object id() {
      return kind.id() == null ? answer : kind.id().apply(request);
    }
  }

  /** The requests of one pool that are under way. */
  private record Taken(PoolKey pool, List<Waiting<?, ?>> requests) {

    /** All of them are of one kind. */
    @SuppressWarnings("unchecked")
    <Q, A> List<Waiting<Q, A>> typed() {
      return (List<Waiting<Q, A>>) (List<?>) requests;
    }
  }

  /**
   * Takes a request in.
   *
   * @return completes after the commit, or with the fault that kept the request from an answer: an
   *     {@link UnavailableException} if too many requests wait already
   */
  <Q, A> CompletableFuture<A> submit(PoolKey pool, Kind<Q, A> kind, Q request) {
    Waiting<Q, A> waiting =
        new Waiting<>(kind, request, new CompletableFuture<>(), nanoTime.getAsLong());
    boolean start = false;
    synchronized (busyPools) {
      Deque<Waiting<?, ?>> queue = busyPools.get(pool);
      if (queue == null && inLine.size() >= limits.poolsMax()) {
        return overloaded("Too many pools wait for a transaction");
      }
      if (queue != null && queue.size() >= limits.waitingMax()) {
        return overloaded("Too many requests wait for one pool");
      }
      if (queue == null) {
        queue = new ArrayDeque<>();
        busyPools.put(pool, queue);
        inLine.add(pool);
        start = transactions < limits.transactionsMax();
        transactions += start ? 1 : 0;
      }
      queue.add(waiting);
    }
    if (start && !handOver()) {
      refuseAll();
    }
    return waiting.answer();
  }

  private static <A> CompletableFuture<A> overloaded(String why) {
    return CompletableFuture.failedFuture(UnavailableException.overloaded(why));
  }

  private boolean handOver() {
    try {
      executor.execute(this::decideInLine);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** The executor takes no work, so nothing that waits for a first transaction will get one. */
  private void refuseAll() {
    List<Waiting<?, ?>> refused = new ArrayList<>();
    synchronized (busyPools) {
      transactions--;
      if (transactions == 0) {
        inLine.forEach(pool -> refused.addAll(busyPools.remove(pool)));
        inLine.clear();
      }
    }
    UnavailableException fault = UnavailableException.overloaded("No transaction is to be had");
    refused.forEach(waiting -> waiting.answer().completeExceptionally(fault));
  }

  /** One transaction, and then the next one, behind whatever else waits for a thread. */
  private void decideInLine() {
    do {
      List<Taken> taken = take();
      decide(inTime(taken));
      release(taken);
      // An executor that takes nothing more is full or shutting down; what was taken in is decided
      // all the same.
    } while (another() && !handOver());
  }

  private boolean another() {
    synchronized (busyPools) {
      if (inLine.isEmpty()) {
        transactions--;
        return false;
      }
      return true;
    }
  }

  /** The pool that waits longest, and those behind it that can go with it. */
  private List<Taken> take() {
    synchronized (busyPools) {
      List<Taken> taken = new ArrayList<>();
      int room = limits.requestsMax();
      while (!inLine.isEmpty() && room > 0) {
        Kind<?, ?> kind = busyPools.get(inLine.peek()).peek().kind();
        if (!taken.isEmpty()
            && (taken.size() == kind.poolsMax() || kind != taken.get(0).requests().get(0).kind())) {
          break;
        }
        PoolKey pool = inLine.poll();
        taken.add(new Taken(pool, take(busyPools.get(pool), kind, room)));
        room -= taken.get(taken.size() - 1).requests().size();
      }
      return taken;
    }
  }

  private static List<Waiting<?, ?>> take(
      Deque<Waiting<?, ?>> queue, Kind<?, ?> kind, int requestsMax) {
    List<Waiting<?, ?>> batch = new ArrayList<>();
    Set<Object> ids = new HashSet<>();
    while (batch.size() < requestsMax
        && !queue.isEmpty()
        && queue.peek().kind() == kind
        && ids.add(queue.peek().id())) {
      batch.add(queue.poll());
    }
    return batch;
  }

  /** Refuses what has waited for too long, so that the line moves on when the database is slow. */
  private List<Taken> inTime(List<Taken> taken) {
    long now = nanoTime.getAsLong();
    List<Taken> rest = new ArrayList<>();
    for (Taken pool : taken) {
      int late = 0; // the first ones, because they are in the order of their arrival
      while (late < pool.requests().size() && isLate(pool.requests().get(late), now)) {
        late++;
      }
      if (late > 0) {
        fail(
            List.of(new Taken(pool.pool(), pool.requests().subList(0, late))),
            UnavailableException.overloaded("It took too long until a transaction was to be had"));
      }
      if (late < pool.requests().size()) {
        rest.add(new Taken(pool.pool(), pool.requests().subList(late, pool.requests().size())));
      }
    }
    return rest;
  }

  private boolean isLate(Waiting<?, ?> waiting, long nowNanos) {
    return nowNanos - waiting.sinceNanos() > limits.waitMax().toNanos();
  }

  private void release(List<Taken> taken) {
    synchronized (busyPools) {
      for (Taken pool : taken) {
        if (busyPools.get(pool.pool()).isEmpty()) {
          busyPools.remove(pool.pool());
        } else {
          inLine.add(pool.pool()); // behind the others, so that a hot pool starves none
        }
      }
    }
  }

  private <Q, A> void decide(List<Taken> taken) {
    if (taken.isEmpty()) {
      return;
    }
    List<Batch<Q>> batches = new ArrayList<>();
    for (Taken pool : taken) {
      List<Waiting<Q, A>> requests = pool.typed();
      batches.add(new Batch<>(pool.pool(), requests.stream().map(Waiting::request).toList()));
    }
    List<List<A>> answers;
    try {
      Kind<Q, A> kind = taken.get(0).<Q, A>typed().get(0).kind();
      answers = kind.decide().apply(batches);
    } catch (RolledBackException e) {
      // Nothing was changed; alone, only the request at fault fails.
      if (taken.size() > 1) {
        taken.forEach(pool -> decide(List.of(pool)));
      } else if (taken.get(0).requests().size() > 1) {
        taken
            .get(0)
            .requests()
            .forEach(one -> decide(List.of(new Taken(taken.get(0).pool(), List.of(one)))));
      } else {
        fail(taken, e);
      }
      return;
    } catch (Throwable e) {
      fail(taken, e);
      return;
    }
    List<Taken> alone = new ArrayList<>();
    for (int i = 0; i < taken.size(); i++) {
      if (answers.get(i) == null) {
        alone.add(taken.get(i));
      } else {
        answer(taken.get(i).<Q, A>typed(), answers.get(i));
      }
    }
    alone.forEach(pool -> decide(List.of(pool)));
  }

  private static <Q, A> void answer(List<Waiting<Q, A>> requests, List<A> answers) {
    for (int n = 0; n < requests.size(); n++) {
      requests.get(n).answer().complete(answers.get(n));
    }
  }

  private static void fail(List<Taken> taken, Throwable fault) {
    taken.forEach(
        pool -> pool.requests().forEach(waiting -> waiting.answer().completeExceptionally(fault)));
  }
}

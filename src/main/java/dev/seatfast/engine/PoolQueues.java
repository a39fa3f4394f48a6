package dev.seatfast.engine;

import dev.seatfast.database.UnavailableException;
import dev.seatfast.engine.Turn.Result;
import dev.seatfast.engine.Turn.Taken;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

/**
 * Natural batching: while a transaction for a pool runs in this process, further requests for that
 * pool wait, and all of one kind that wait in a row go together in the next one. Pools that wait
 * because all transactions are busy share one.
 *
 * <p>Guarantees:
 *
 * <ul>
 *   <li>At most one transaction per pool at a time; a pool's requests are decided in the order of
 *       their arrival.
 *   <li>A request waits only while its pool is under way or no transaction is free.
 *   <li>A pool that another transaction has locked delays no other pool: at most half of the
 *       transactions may wait for a lock, each for one pool, and all others leave a locked pool for
 *       one of these.
 *   <li>A pool's requests, the pools in line and the time that a request waits before it is begun
 *       never exceed their bounds. An idle pool leaves nothing in memory.
 * </ul>
 */
final class PoolQueues {

  /** The most pools that share a transaction; each stays locked until the last one is decided. */
  private static final int POOLS_PER_TRANSACTION_MAX = 16;

  private final Executor executor;
  private final Limits limits;
  private final LongSupplier nanoTime;

  /** Guards all that follows; nothing is run, told or waited for while it is held. */
  private final Object lock = new Object();

  /** Every pool with a request that waits or is under way. */
  private final Map<PoolKey, PoolLine> lines = new HashMap<>();

  // INVARIANT: a pool of lines is under way, or in exactly one of the next two.

  /** Pools with waiting requests and nothing under way, in the order of their turn. */
  private final Deque<PoolLine> ready = new ArrayDeque<>();

  /** Likewise, but found locked, so that they need a transaction of their own that may wait. */
  private final Deque<PoolLine> locked = new ArrayDeque<>();

  // INVARIANT: 0 <= waiters <= transactions <= limits.transactionsMax().
  private int transactions;
  private int waiters;
  private boolean lockedWentLast;

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
   * @param waitMax a request that has waited for longer is refused instead of begun
   */
  record Limits(
      int requestsMax, int waitingMax, int poolsMax, int transactionsMax, Duration waitMax) {

    /** The most transactions that may wait for locks at once. */
    int waitersMax() {
      return Math.max(1, transactionsMax / 2);
    }
  }

  /**
   * Takes a request in.
   *
   * @return completes after the commit, or with the fault that kept the request from an answer: an
   *     {@link UnavailableException} if too many requests wait already
   */
  <Q, A> CompletableFuture<A> submit(PoolKey pool, RequestKind<Q, A> kind, Q request) {
    Waiting<Q, A> waiting = new Waiting<>(kind, request, nanoTime.getAsLong());
    CompletableFuture<A> answer;
    boolean begin = false;
    synchronized (lock) {
      PoolLine line = lines.get(pool);
      if (line == null && ready.size() + locked.size() >= limits.poolsMax()) {
        return overloaded("Too many pools wait for a transaction");
      }
      if (line != null && line.size() >= limits.waitingMax()) {
        return overloaded("Too many requests wait for one pool");
      }
      if (line == null) {
        line = new PoolLine(pool);
        lines.put(pool, line);
        ready.add(line);
        begin = transactions < limits.transactionsMax();
        transactions += begin ? 1 : 0;
      }
      answer = line.add(waiting);
    }
    if (begin && !handOver()) {
      refuseAll();
    }
    return answer;
  }

  private static <A> CompletableFuture<A> overloaded(String why) {
    return CompletableFuture.failedFuture(UnavailableException.overloaded(why));
  }

  private boolean handOver() {
    try {
      executor.execute(this::runTurns);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Refuses all waiting requests, if no transaction is left to decide them. */
  private void refuseAll() {
    List<Waiting<?, ?>> refused = new ArrayList<>();
    synchronized (lock) {
      transactions--;
      if (transactions == 0) {
        ready.addAll(locked);
        locked.clear();
        for (PoolLine line : ready) {
          lines.remove(line.pool());
          while (!line.isEmpty()) {
            refused.addAll(line.take(Integer.MAX_VALUE));
          }
        }
        ready.clear();
      }
    }
    UnavailableException fault = UnavailableException.overloaded("No thread takes a transaction");
    refused.forEach(waiting -> waiting.fail(fault));
  }

  /** Runs one transaction and hands over to the next one, behind other work for the threads. */
  private void runTurns() {
    boolean goesOn = true;
    while (goesOn) {
      Turn turn = take();
      List<Result> results = TurnRunner.run(turn);
      goesOn = release(turn, results);
      // An executor that refuses is full or shutting down; what was taken in is decided all the
      // same.
      if (goesOn && handOver()) {
        goesOn = false;
      }
      // Told last: clients' continuations must not keep the pools from their next transaction.
      results.forEach(Result::tell);
    }
  }

  /** Takes the next pools in line, without what has waited for too long. */
  private Turn take() {
    List<Waiting<?, ?>> late = new ArrayList<>();
    Turn turn;
    synchronized (lock) {
      turn = takeInTime(late);
    }
    UnavailableException fault =
        UnavailableException.overloaded("Timed out waiting for a transaction");
    late.forEach(waiting -> waiting.fail(fault));
    return turn;
  }

  private Turn takeInTime(List<Waiting<?, ?>> late) {
    boolean mayWait = waiters < limits.waitersMax();
    lockedWentLast = mayWait && !locked.isEmpty() && (ready.isEmpty() || !lockedWentLast);
    List<Taken> taken = new ArrayList<>();
    if (lockedWentLast) {
      takeFrom(locked, limits.requestsMax(), taken, late);
    } else {
      int room = limits.requestsMax();
      while (room > 0 && taken.size() < POOLS_PER_TRANSACTION_MAX && sameKindIsNext(taken)) {
        room -= takeFrom(ready, room, taken, late);
      }
    }
    mayWait &= taken.size() == 1;
    waiters += mayWait ? 1 : 0;
    return new Turn(taken, mayWait);
  }

  private boolean sameKindIsNext(List<Taken> taken) {
    return !ready.isEmpty()
        && (taken.isEmpty() || ready.element().kind() == taken.get(0).requests().get(0).kind());
  }

  /** Takes requests of the first pool; returns their number. */
  private int takeFrom(
      Deque<PoolLine> pools, int requestsMax, List<Taken> taken, List<Waiting<?, ?>> late) {
    long now = nanoTime.getAsLong();
    PoolLine line = pools.remove();
    List<Waiting<?, ?>> requests = line.take(requestsMax);
    int inTime = 0;
    while (inTime < requests.size() && isLate(requests.get(inTime), now)) {
      inTime++; // the late ones come first, because they are in the order of their arrival
    }
    late.addAll(requests.subList(0, inTime));
    requests = requests.subList(inTime, requests.size());
    if (!requests.isEmpty()) {
      taken.add(new Taken(line, requests));
    } else if (line.isEmpty()) {
      lines.remove(line.pool());
    } else {
      pools.addFirst(line);
    }
    return requests.size();
  }

  private boolean isLate(Waiting<?, ?> waiting, long nowNanos) {
    return nowNanos - waiting.sinceNanos() > limits.waitMax().toNanos();
  }

  /** Gives the pools of a turn back, and tells whether this transaction's place is needed. */
  private boolean release(Turn turn, List<Result> results) {
    synchronized (lock) {
      waiters -= turn.mayWait() ? 1 : 0;
      for (int i = 0; i < results.size(); i++) {
        Taken taken = turn.pools().get(i);
        PoolLine line = taken.line();
        if (results.get(i) instanceof Result.Postponed) {
          line.putBack(taken.requests());
          locked.add(line);
        } else if (line.isEmpty()) {
          lines.remove(line.pool());
        } else {
          ready.add(line); // behind the others, so that a hot pool starves none
        }
      }
      boolean goesOn = !ready.isEmpty() || (!locked.isEmpty() && waiters < limits.waitersMax());
      transactions -= goesOn ? 0 : 1;
      return goesOn;
    }
  }
}

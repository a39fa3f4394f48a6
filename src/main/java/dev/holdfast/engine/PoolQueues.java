package dev.holdfast.engine;

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
import java.util.function.BiFunction;

/**
 * Natural batching: while a transaction for a pool runs in this process, further requests for that
 * pool wait, and all that wait go together in the next one.
 *
 * <p>Invariants: at most one transaction per pool at a time; a pool's requests are decided in the
 * order of their arrival; no request waits while its pool is idle; a pool's queue never exceeds its
 * bound; an idle pool leaves nothing behind in memory.
 *
 * <p>A request that shares its id with one in the same batch would be a replay of it, so it waits
 * for the next batch, with all that came after it.
 */
final class PoolQueues {

  private final Executor executor;
  private final int requestsMax;
  private final int waitingMax;
  private final BiFunction<PoolKey, List<SeatRequest>, List<Decision>> decide;
  private final Map<PoolKey, Deque<Waiting>> busyPools = new HashMap<>();

  /**
   * @param executor runs the transactions, as many at once as it has threads
   * @param requestsMax the most requests in one transaction
   * @param waitingMax the most requests that wait for one pool
   * @param decide one transaction: a decision for each request, in their order
   */
  PoolQueues(
      Executor executor,
      int requestsMax,
      int waitingMax,
      BiFunction<PoolKey, List<SeatRequest>, List<Decision>> decide) {
    this.executor = executor;
    this.requestsMax = requestsMax;
    this.waitingMax = waitingMax;
    this.decide = decide;
  }

  private record Waiting(SeatRequest request, CompletableFuture<Decision> answer) {}

  /**
   * Takes a request in.
   *
   * @return completes after the commit, or with the fault that kept the request from an answer
   * @throws UnavailableException if too many requests wait for this pool already
   */
  CompletableFuture<Decision> submit(PoolKey pool, SeatRequest request) {
    Waiting waiting = new Waiting(request, new CompletableFuture<>());
    boolean idle;
    synchronized (busyPools) {
      Deque<Waiting> queue = busyPools.get(pool);
      idle = queue == null;
      if (idle) {
        queue = new ArrayDeque<>();
        busyPools.put(pool, queue);
      } else if (queue.size() >= waitingMax) {
        throw UnavailableException.overloaded(
            "%d requests wait for one pool".formatted(queue.size()));
      }
      queue.add(waiting);
    }
    if (idle && !handOver(pool)) {
      refuseWaiting(pool);
    }
    return waiting.answer();
  }

  private boolean handOver(PoolKey pool) {
    try {
      executor.execute(() -> decideWaiting(pool));
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private void refuseWaiting(PoolKey pool) {
    Deque<Waiting> refused;
    synchronized (busyPools) {
      refused = busyPools.remove(pool);
    }
    UnavailableException fault =
        UnavailableException.overloaded("Too many pools wait for a transaction");
    refused.forEach(waiting -> waiting.answer().completeExceptionally(fault));
  }

  private void decideWaiting(PoolKey pool) {
    do {
      decideBatch(pool, nextBatch(pool));
      // Behind the other pools that wait, so that a hot one starves none. An executor that takes
      // nothing more is full or shutting down; what was taken in is decided all the same.
    } while (hasMore(pool) && !handOver(pool));
  }

  private boolean hasMore(PoolKey pool) {
    synchronized (busyPools) {
      boolean more = !busyPools.get(pool).isEmpty();
      if (!more) {
        busyPools.remove(pool);
      }
      return more;
    }
  }

  private List<Waiting> nextBatch(PoolKey pool) {
    List<Waiting> batch = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    synchronized (busyPools) {
      Deque<Waiting> queue = busyPools.get(pool);
      while (batch.size() < requestsMax
          && !queue.isEmpty()
          && ids.add(queue.peek().request().requestId())) {
        batch.add(queue.poll());
      }
    }
    return batch;
  }

  private void decideBatch(PoolKey pool, List<Waiting> batch) {
    List<Decision> decisions;
    try {
      decisions = decide.apply(pool, batch.stream().map(Waiting::request).toList());
    } catch (RolledBackException e) {
      if (batch.size() == 1) {
        batch.get(0).answer().completeExceptionally(e);
      } else {
        // Nothing was changed; alone, only the request at fault fails.
        batch.forEach(waiting -> decideBatch(pool, List.of(waiting)));
      }
      return;
    } catch (Throwable e) {
      batch.forEach(waiting -> waiting.answer().completeExceptionally(e));
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      batch.get(i).answer().complete(decisions.get(i));
    }
  }
}

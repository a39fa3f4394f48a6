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
import java.util.function.Function;

/**
 * Natural batching: while a transaction for a pool runs in this process, further requests for that
 * pool wait, and all of one kind that wait in a row go together in the next one.
 *
 * <p>Invariants: at most one transaction per pool at a time; a pool's requests are decided in the
 * order of their arrival; no request waits while its pool is idle; a pool's queue never exceeds its
 * bound; an idle pool leaves nothing behind in memory.
 */
final class PoolQueues {

  private final Executor executor;
  private final int requestsMax;
  private final int waitingMax;
  private final Map<PoolKey, Deque<Waiting<?, ?>>> busyPools = new HashMap<>();

  /**
   * @param executor runs the transactions, as many at once as it has threads
   * @param requestsMax the most requests in one transaction
   * @param waitingMax the most requests that wait for one pool
   */
  PoolQueues(Executor executor, int requestsMax, int waitingMax) {
    this.executor = executor;
    this.requestsMax = requestsMax;
    this.waitingMax = waitingMax;
  }

  /**
   * Requests that one transaction can decide together.
   *
   * @param id null, or what must differ between the requests of one batch
   * @param decide one transaction: an answer for each request, in their order
   */
  record Kind<Q, A>(Function<Q, ?> id, BiFunction<PoolKey, List<Q>, List<A>> decide) {

    static <Q, A> Kind<Q, A> of(BiFunction<PoolKey, List<Q>, List<A>> decide) {
      return new Kind<>(null, decide);
    }

    static <Q, A> Kind<Q, A> ofDistinct(
        Function<Q, ?> id, BiFunction<PoolKey, List<Q>, List<A>> decide) {
      return new Kind<>(id, decide);
    }
  }

  private record Waiting<Q, A>(Kind<Q, A> kind, Q request, CompletableFuture<A> answer) {

    Object id() {
      return kind.id() == null ? this : kind.id().apply(request);
    }
  }

  /**
   * Takes a request in.
   *
   * @return completes after the commit, or with the fault that kept the request from an answer: an
   *     {@link UnavailableException} if too many requests wait already
   */
  <Q, A> CompletableFuture<A> submit(PoolKey pool, Kind<Q, A> kind, Q request) {
    Waiting<Q, A> waiting = new Waiting<>(kind, request, new CompletableFuture<>());
    boolean idle;
    synchronized (busyPools) {
      Deque<Waiting<?, ?>> queue = busyPools.get(pool);
      idle = queue == null;
      if (idle) {
        queue = new ArrayDeque<>();
        busyPools.put(pool, queue);
      } else if (queue.size() >= waitingMax) {
        return CompletableFuture.failedFuture(
            UnavailableException.overloaded("Too many requests wait for one pool"));
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
    Deque<Waiting<?, ?>> refused;
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

  private List<Waiting<?, ?>> nextBatch(PoolKey pool) {
    List<Waiting<?, ?>> batch = new ArrayList<>();
    Set<Object> ids = new HashSet<>();
    synchronized (busyPools) {
      Deque<Waiting<?, ?>> queue = busyPools.get(pool);
      Kind<?, ?> kind = queue.peek().kind();
      while (batch.size() < requestsMax
          && !queue.isEmpty()
          && queue.peek().kind() == kind
          && ids.add(queue.peek().id())) {
        batch.add(queue.poll());
      }
    }
    return batch;
  }

  /** The requests of a batch are all of the first one's kind. */
  @SuppressWarnings("unchecked")
  private <Q, A> void decideBatch(PoolKey pool, List<Waiting<?, ?>> batch) {
    List<Waiting<Q, A>> requests = (List<Waiting<Q, A>>) (List<?>) batch;
    List<A> answers;
    try {
      answers =
          requests
              .get(0)
              .kind()
              .decide()
              .apply(pool, requests.stream().map(Waiting::request).toList());
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
    for (int i = 0; i < answers.size(); i++) {
      requests.get(i).answer().complete(answers.get(i));
    }
  }
}

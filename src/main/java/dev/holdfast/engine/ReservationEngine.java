package dev.holdfast.engine;

import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decides who gets seats, and tells how many are taken. Whatever a returned stage completes with
 * was committed before.
 *
 * <p>All database work of requests runs on a fixed set of threads, never more than there are
 * connections, so that nothing queues inside the connection pool.
 */
@Singleton
public class ReservationEngine {

  /** Pools and status reads that may wait for a thread; a pool counts once, however hot. */
  private static final int WAITING_TASKS_MAX = 10_000;

  private static final int DRAIN_SECONDS_MAX = 10;
  private static final int STOP_AFTER_HTTP = 1_000;

  private final SeatPools pools;
  private final DecisionMetrics metrics;
  private final ExecutorService executor;
  private final PoolQueues queues;

  ReservationEngine(
      ReservationStore store, SeatPools pools, EngineConfig config, DecisionMetrics metrics) {
    this.pools = pools;
    this.metrics = metrics;
    this.executor = boundedExecutor(config.batch().transactionsMax());
    this.queues =
        new PoolQueues(
            executor, config.batch().requestsMax(), config.batch().waitingMax(), store::reserve);
  }

  /**
   * Decides a request, or finds the decision it got before.
   *
   * @return completes with the committed decision, or with an {@link UnavailableException}
   */
  public CompletionStage<Decision> reserve(PoolKey pool, SeatRequest request) {
    long start = System.nanoTime();
    try {
      return queues
          .submit(pool, request)
          .whenComplete((decision, fault) -> metrics.record(decision, System.nanoTime() - start));
    } catch (UnavailableException e) {
      metrics.record(null, System.nanoTime() - start);
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * Reads a pool's counts; writes nothing.
   *
   * @return completes with the counts, or with an {@link UnavailableException}
   */
  public CompletionStage<PoolStatus> status(PoolKey pool) {
    try {
      return CompletableFuture.supplyAsync(() -> pools.status(pool), executor);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          UnavailableException.overloaded("Too many reads wait for a connection"));
    }
  }

  /** Decides what was taken in; the HTTP server has stopped taking requests before. */
  void drain(@Observes @Priority(STOP_AFTER_HTTP) ShutdownEvent event) {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(DRAIN_SECONDS_MAX, TimeUnit.SECONDS)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException e) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private static ExecutorService boundedExecutor(int threads) {
    AtomicInteger number = new AtomicInteger();
    ThreadFactory factory =
        task -> {
          Thread thread = new Thread(task, "decisions-" + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        };
    return new ThreadPoolExecutor(
        threads,
        threads,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(WAITING_TASKS_MAX),
        factory);
  }
}

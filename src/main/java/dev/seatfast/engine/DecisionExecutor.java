package dev.seatfast.engine;

import dev.seatfast.database.UnavailableException;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The threads that all database work of requests runs on, never more than there are connections, so
 * that nothing queues inside the connection pool. A task waits here for a connection in effect, and
 * so no longer than the connection pool's acquisition time-out allows.
 */
@Singleton
class DecisionExecutor {

  /** Pools that may wait for a transaction, and reads that may wait for a thread. */
  private static final int WAITING_TASKS_MAX = 10_000;

  private static final int DRAIN_SECONDS_MAX = 10;
  private static final int STOP_AFTER_HTTP = 1_000;

  /** Tasks that wait for their turn to wait for locks. */
  private static final int WAITING_FOR_LOCKS_MAX = 1_000;

  private final ExecutorService executor;
  private final Lane lockWaits;
  private final int threads;
  private final Duration waitMax;

  DecisionExecutor(
      EngineConfig config,
      @ConfigProperty(name = "quarkus.datasource.jdbc.max-size") int connections,
      @ConfigProperty(name = "quarkus.datasource.jdbc.acquisition-timeout") Duration waitMax) {
    this.threads =
        config
            .batch()
            .transactionsMax()
            .orElse(Math.min(EngineSettings.TRANSACTIONS_MAX, connections));
    this.executor = boundedExecutor(threads);
    // Beside the half that may wait for pools' locks in PoolQueues, so that a quarter never waits.
    this.lockWaits = new Lane(executor, Math.max(1, threads / 4), WAITING_FOR_LOCKS_MAX);
    this.waitMax = waitMax;
  }

  @Produces
  @Singleton
  PoolQueues queues(EngineConfig config) {
    return new PoolQueues(
        executor,
        new PoolQueues.Limits(
            config.batch().requestsMax(),
            config.batch().waitingMax(),
            WAITING_TASKS_MAX,
            threads,
            waitMax),
        System::nanoTime);
  }

  /**
   * Runs a task that needs no place in a pool's queue and waits for no lock.
   *
   * @return completes with its result, or with an {@link UnavailableException}
   */
  <T> CompletionStage<T> run(Supplier<T> task) {
    return run(task, executor);
  }

  /** Runs a task that may wait for locks, at most a quarter of the threads at a time. */
  <T> CompletionStage<T> runWaiting(Supplier<T> task) {
    return run(task, lockWaits);
  }

  private <T> CompletionStage<T> run(Supplier<T> task, Executor on) {
    try {
      long since = System.nanoTime();
      return CompletableFuture.supplyAsync(
          () -> {
            if (System.nanoTime() - since > waitMax.toNanos()) {
              throw UnavailableException.overloaded("Timed out waiting for a thread");
            }
            return task.get();
          },
          on);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          UnavailableException.overloaded("Too many requests wait for a connection"));
    }
  }

  /** Decides what was taken in. The HTTP server has stopped taking requests before. */
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

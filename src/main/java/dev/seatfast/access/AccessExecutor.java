package dev.seatfast.access;

import dev.seatfast.database.UnavailableException;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** The few threads on which credentials are looked up and verified, off the event loops. */
@Singleton
class AccessExecutor {

  private static final int THREADS = 2;
  private static final int WAITING_MAX = 1_000;
  private static final int IDLE_SECONDS_MAX = 30;

  private final ThreadPoolExecutor executor;

  AccessExecutor() {
    AtomicInteger number = new AtomicInteger();
    executor =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS_MAX,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING_MAX),
            task -> {
              Thread thread = new Thread(task, "access-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
  }

  /**
   * Runs a task on one of the threads.
   *
   * @return completes with the task's result; fails with {@link UnavailableException} if too many
   *     tasks wait
   */
  <T> CompletionStage<T> run(Supplier<T> task) {
    try {
      return CompletableFuture.supplyAsync(task, executor);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          UnavailableException.overloaded("Too many credentials wait to be verified"));
    }
  }

  @PreDestroy
  void stop() {
    executor.shutdownNow();
  }
}

package dev.seatfast.engine;

import dev.seatfast.database.UnavailableException;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides who gets seats for good, and tells how many are taken. Whatever a returned stage
 * completes with was committed before.
 */
@Singleton
public class ReservationEngine {

  private final PoolQueues queues;
  private final DecisionExecutor executor;
  private final DecisionMetrics metrics;
  private final SeatPools pools;
  private final RequestKind<SeatRequest, SeatAnswer> reserve;
  private final Map<PoolKey, CompletionStage<PoolStatus>> waitingReads = new ConcurrentHashMap<>();

  ReservationEngine(
      PoolQueues queues,
      DecisionExecutor executor,
      ReservationStore store,
      SeatPools pools,
      DecisionMetrics metrics) {
    this.queues = queues;
    this.executor = executor;
    this.metrics = metrics;
    this.pools = pools;
    this.reserve = new RequestKind<>(SeatRequest::requestId, SeatAnswer::replay, store::reserve);
  }

  /**
   * Decides a request, or finds the decision it got before. While the pool is shut it decides none.
   *
   * @return completes with the committed answer, or with an {@link UnavailableException}
   */
  public CompletionStage<SeatAnswer> reserve(PoolKey pool, SeatRequest request) {
    return metrics.timed(queues.submit(pool, reserve, request), DecisionMetrics::outcome);
  }

  /**
   * Reads a pool's counts; changes nothing that anybody sees. Reads of one pool that have not begun
   * yet share one statement.
   *
   * @return completes with the counts, or with an {@link UnavailableException}
   */
  public CompletionStage<PoolStatus> status(PoolKey pool) {
    CompletionStage<PoolStatus> read = waitingReads.computeIfAbsent(pool, this::read);
    read.whenComplete((status, fault) -> waitingReads.remove(pool, read)); // one that never began
    return read;
  }

  private CompletionStage<PoolStatus> read(PoolKey pool) {
    return executor
        .run(
            () -> {
              waitingReads.remove(pool);
              return pools.read(pool);
            })
        .thenCompose(
            reading ->
                reading.isFinal()
                    ? CompletableFuture.completedFuture(reading.status())
                    : executor.runWaiting(() -> pools.status(pool)));
  }
}

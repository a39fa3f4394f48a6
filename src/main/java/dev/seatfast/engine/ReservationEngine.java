package dev.seatfast.engine;

import dev.seatfast.database.UnavailableException;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides who gets seats for good, and tells how many are taken. Whatever a returned stage
 * completes with was committed before.
 */
@Singleton
public class ReservationEngine {

  private final DecisionExecutor threads;
  private final DecisionMetrics metrics;
  private final SeatPools pools;
  private final PoolQueues.Kind<SeatRequest, Decision> reserve;
  private final Map<PoolKey, CompletionStage<PoolStatus>> waitingReads = new ConcurrentHashMap<>();

  ReservationEngine(
      DecisionExecutor threads, ReservationStore store, SeatPools pools, DecisionMetrics metrics) {
    this.threads = threads;
    this.metrics = metrics;
    this.pools = pools;
    // The same id twice in one batch would be a replay of something that is not there yet.
    this.reserve = PoolQueues.Kind.ofManyPools(SeatRequest::requestId, store::reserve);
  }

  /**
   * Decides a request, or finds the decision it got before.
   *
   * @return completes with the committed decision, or with an {@link UnavailableException}
   */
  public CompletionStage<Decision> reserve(PoolKey pool, SeatRequest request) {
    return metrics.timed(threads.queues().submit(pool, reserve, request), DecisionMetrics::outcome);
  }

  /**
   * Reads a pool's counts; writes nothing.
   *
   * @return completes with the counts, or with an {@link UnavailableException}
   */
  public CompletionStage<PoolStatus> status(PoolKey pool) {
    // A read that has not begun yet sees all that whoever comes meanwhile may expect to see.
    CompletionStage<PoolStatus> read =
        waitingReads.computeIfAbsent(
            pool,
            key ->
                threads.run(
                    () -> {
                      waitingReads.remove(key);
                      return pools.status(key);
                    }));
    read.whenComplete((status, fault) -> waitingReads.remove(pool, read)); // one that never began
    return read;
  }
}

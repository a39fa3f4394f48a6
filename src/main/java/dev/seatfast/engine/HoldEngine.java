package dev.seatfast.engine;

import dev.seatfast.database.UnavailableException;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * Holds seats for a while, and confirms, cancels and extends holds. Whatever a returned stage
 * completes with was committed before.
 */
@Singleton
public class HoldEngine {

  private static final int SLOT_CAPACITY = 1;

  private final PoolQueues queues;
  private final DecisionExecutor executor;
  private final DecisionMetrics metrics;
  private final HoldStore store;
  private final SeatPools pools;
  private final RequestKind<HoldRequest, HoldAnswer> holdSlot;
  private final RequestKind<HoldRequest, HoldAnswer> holdSeats;
  private final Map<Settlement.Action, RequestKind<Settlement.Request, Settlement>> settle =
      new EnumMap<>(Settlement.Action.class);

  HoldEngine(
      PoolQueues queues,
      DecisionExecutor executor,
      DecisionMetrics metrics,
      HoldStore store,
      SeatPools pools,
      EngineConfig config) {
    this.queues = queues;
    this.executor = executor;
    this.metrics = metrics;
    this.store = store;
    this.pools = pools;
    this.holdSlot = holds(SLOT_CAPACITY);
    this.holdSeats = holds(config.defaultCapacity());
    for (Settlement.Action action : Settlement.Action.values()) {
      settle.put(
          action,
          new RequestKind<>(
              Settlement.Request::id,
              UnaryOperator.identity(),
              (batches, mayWait) -> store.settle(batches, action, mayWait)));
    }
  }

  private RequestKind<HoldRequest, HoldAnswer> holds(int defaultCapacity) {
    return new RequestKind<>(
        HoldRequest::id,
        HoldAnswer::replay,
        (batches, mayWait) -> store.hold(batches, defaultCapacity, mayWait));
  }

  /**
   * Holds a slot, or finds the hold that stands under this request id of this owner.
   *
   * @return completes with the committed answer, or with an {@link UnavailableException}
   */
  public CompletionStage<HoldAnswer> holdSlot(PoolKey slot, HoldRequest request) {
    return metrics.timed(queues.submit(slot, holdSlot, request), DecisionMetrics::outcome);
  }

  /**
   * Holds seats of a workshop, or finds the hold that stands under this request id of this owner.
   * Such ids are apart from those of direct reservations: the same word may stand for one of each.
   */
  public CompletionStage<HoldAnswer> holdSeats(PoolKey workshop, HoldRequest request) {
    return metrics.timed(queues.submit(workshop, holdSeats, request), DecisionMetrics::outcome);
  }

  /** Confirms, cancels or extends a hold of a pool. */
  public CompletionStage<Settlement> settle(
      PoolKey pool, Settlement.Action action, Settlement.Request request) {
    return metrics.timed(
        queues.submit(pool, settle.get(action), request),
        settlement -> DecisionMetrics.outcome(action, settlement));
  }

  /** Reads a hold; the caller decides who may see it. */
  public CompletionStage<Optional<Hold>> find(PoolKey pool, UUID reservationId) {
    return executor
        .run(() -> store.find(pool, reservationId))
        .thenCompose(
            hold ->
                hold.map(Hold::isFinal).orElse(true)
                    ? CompletableFuture.completedFuture(hold)
                    : executor.runWaiting(
                        () -> {
                          pools.endExpiredHolds(pool);
                          return store.find(pool, reservationId);
                        }));
  }
}

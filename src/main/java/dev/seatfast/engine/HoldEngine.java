package dev.seatfast.engine;

import dev.seatfast.database.UnavailableException;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * Holds seats for a while, and confirms, cancels and extends holds. Whatever a returned stage
 * completes with was committed before.
 */
@Singleton
public class HoldEngine {

  private static final int SLOT_CAPACITY = 1;

  private final DecisionExecutor threads;
  private final DecisionMetrics metrics;
  private final HoldStore store;
  private final PoolQueues.Kind<HoldRequest, HoldAnswer> holdSlot;
  private final PoolQueues.Kind<HoldRequest, HoldAnswer> holdSeats;
  private final Map<Settlement.Action, PoolQueues.Kind<Settlement.Request, Settlement>> settle =
      new EnumMap<>(Settlement.Action.class);

  HoldEngine(
      DecisionExecutor threads, DecisionMetrics metrics, HoldStore store, EngineConfig config) {
    this.threads = threads;
    this.metrics = metrics;
    this.store = store;
    this.holdSlot =
        PoolQueues.Kind.ofOnePool(
            batch -> store.hold(batch.pool(), SLOT_CAPACITY, batch.requests()));
    this.holdSeats =
        PoolQueues.Kind.ofOnePool(
            batch -> store.hold(batch.pool(), config.defaultCapacity(), batch.requests()));
    for (Settlement.Action action : Settlement.Action.values()) {
      settle.put(
          action,
          PoolQueues.Kind.ofOnePool(batch -> store.settle(batch.pool(), action, batch.requests())));
    }
  }

  /**
   * Holds a slot, or finds the hold that stands under this request id.
   *
   * @return completes with the committed answer, or with an {@link UnavailableException}
   */
  public CompletionStage<HoldAnswer> holdSlot(PoolKey slot, HoldRequest request) {
    return metrics.timed(
        threads.queues().submit(slot, holdSlot, request), DecisionMetrics::outcome);
  }

  /**
   * Holds seats of a workshop, or finds the hold that stands under this request id. Such ids are
   * apart from those of direct reservations: the same word may stand for one of each.
   */
  public CompletionStage<HoldAnswer> holdSeats(PoolKey workshop, HoldRequest request) {
    HoldRequest apart =
        new HoldRequest(
            "hold:" + request.requestId(),
            request.owner(),
            request.seats(),
            request.reservationId());
    return metrics.timed(
        threads.queues().submit(workshop, holdSeats, apart), DecisionMetrics::outcome);
  }

  /** Confirms, cancels or extends a hold of a pool. */
  public CompletionStage<Settlement> settle(
      PoolKey pool, Settlement.Action action, Settlement.Request request) {
    return metrics.timed(
        threads.queues().submit(pool, settle.get(action), request),
        settlement -> DecisionMetrics.outcome(action, settlement));
  }

  /** Reads a hold; the caller decides who may see it. */
  public CompletionStage<Optional<Hold>> find(PoolKey pool, UUID reservationId) {
    return threads.run(() -> store.find(pool, reservationId));
  }
}

package dev.seatfast.workshops;

import dev.seatfast.access.Caller;
import dev.seatfast.engine.HoldAnswer;
import dev.seatfast.engine.HoldEngine;
import dev.seatfast.engine.PoolKey;
import dev.seatfast.engine.Settlement;
import dev.seatfast.engine.Shut;
import dev.seatfast.holds.HoldActions;
import dev.seatfast.holds.HoldReplies;
import dev.seatfast.holds.ReservationIds;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.JsonAnswers;
import dev.seatfast.http.JsonBodies;
import dev.seatfast.http.Texts;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.CompletionStage;

/** Answers requests about holds on a workshop, whether or not it belongs to a tenant. */
@Singleton
class SeatHolds {

  private final HoldEngine engine;
  private final ReservationIds ids;
  private final Replays replays;

  SeatHolds(HoldEngine engine, ReservationIds ids, Replays replays) {
    this.engine = engine;
    this.ids = ids;
    this.replays = replays;
  }

  CompletionStage<Response> hold(PoolKey pool, RoutingContext context) {
    WorkshopHoldRequest request = WorkshopHoldRequest.of(JsonBodies.of(context));
    Caller.of(context).requireUser(request.userId());
    return engine
        .holdSeats(pool, request.forEngine(ids.next()))
        .thenApply(answer -> answer(request, answer));
  }

  private Response answer(WorkshopHoldRequest request, HoldAnswer answer) {
    if (answer instanceof Shut shut) {
      return HoldReplies.shut(shut);
    }
    if (!(answer instanceof HoldAnswer.Held held)) {
      return HoldReplies.taken();
    }
    Response.ResponseBuilder ok = JsonAnswers.of(Response.Status.OK, SeatsHeld.of(held));
    return held.replayed() ? replays.mark(ok, request.seats(), held.seats()).build() : ok.build();
  }

  CompletionStage<Response> read(
      PoolKey pool, String reservationId, String userId, RoutingContext context) {
    Texts.check(userId, ApiError.INVALID_USER_ID);
    Caller.of(context).requireUser(userId);
    return HoldReplies.view(reservationId, userId, id -> engine.find(pool, id));
  }

  CompletionStage<Response> settle(
      PoolKey pool, String reservationId, String action, RoutingContext context) {
    WorkshopSettleRequest request = WorkshopSettleRequest.of(JsonBodies.of(context));
    Caller.of(context).requireUser(request.userId());
    Settlement.Action wanted = HoldActions.of(action);
    return HoldReplies.settle(
        reservationId,
        id -> engine.settle(pool, wanted, new Settlement.Request(id, request.userId())),
        (id, settlement) -> SeatsSettled.of(id, wanted, settlement));
  }
}

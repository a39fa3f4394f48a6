package dev.seatfast.workshops;

import dev.seatfast.engine.Decision;
import dev.seatfast.engine.PoolKey;
import dev.seatfast.engine.ReservationEngine;
import dev.seatfast.engine.SeatAnswer;
import dev.seatfast.engine.Shut;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.JsonAnswers;
import dev.seatfast.http.JsonBodies;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Answers requests for seats of a workshop, whether or not it belongs to a tenant. */
@Singleton
class Reservations {

  private final ReservationEngine engine;
  private final DecisionLog log;
  private final Replays replays;

  Reservations(ReservationEngine engine, DecisionLog log, Replays replays) {
    this.engine = engine;
    this.log = log;
    this.replays = replays;
  }

  /** Reserves what the body of a request asks for. */
  CompletionStage<Response> reserve(WorkshopName name, PoolKey pool, RoutingContext context) {
    ReservationRequest request = ReservationRequest.of(JsonBodies.of(context));
    return engine
        .reserve(pool, request.forEngine())
        .thenApply(answer -> answer(name, request, answer));
  }

  private Response answer(WorkshopName workshop, ReservationRequest request, SeatAnswer answer) {
    if (answer instanceof Shut shut) {
      throw isShut(shut);
    }
    return answer(workshop, request, (Decision) answer);
  }

  private static ApiException isShut(Shut shut) {
    Map<String, Object> times = new LinkedHashMap<>();
    if (shut.opensAt() != null) {
      times.put("opensAt", shut.opensAt().toString());
    }
    if (shut.closesAt() != null) {
      times.put("closesAt", shut.closesAt().toString());
    }
    return new ApiException(error(shut.reason()), times);
  }

  static ApiError error(Shut.Reason reason) {
    return switch (reason) {
      case NOT_OPEN -> ApiError.NOT_OPEN;
      case CLOSED -> ApiError.CLOSED;
      case PAUSED -> ApiError.PAUSED;
    };
  }

  private Response answer(WorkshopName workshop, ReservationRequest request, Decision decision) {
    log.decided(workshop, decision);
    Response.Status status =
        switch (decision.outcome()) {
          case ACCEPTED -> Response.Status.CREATED;
          case REJECTED -> Response.Status.CONFLICT;
        };
    Response.ResponseBuilder answer = JsonAnswers.of(status, Reservation.of(workshop, decision));
    return decision.replayed()
        ? replays.mark(answer, request.seats(), decision.seats()).build()
        : answer.build();
  }

  CompletionStage<Response> status(WorkshopName name, PoolKey pool) {
    return engine.status(pool).thenApply(status -> JsonAnswers.ok(WorkshopStatus.of(name, status)));
  }
}

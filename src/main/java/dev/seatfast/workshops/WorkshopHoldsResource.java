package dev.seatfast.workshops;

import static dev.seatfast.http.ApiError.JSON;

import dev.seatfast.engine.HoldAnswer;
import dev.seatfast.engine.HoldEngine;
import dev.seatfast.engine.PoolKey;
import dev.seatfast.engine.Settlement;
import dev.seatfast.holds.HoldActions;
import dev.seatfast.holds.HoldReplies;
import dev.seatfast.holds.HoldView;
import dev.seatfast.holds.ReservationIds;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.JsonAnswers;
import dev.seatfast.http.JsonBodies;
import dev.seatfast.http.Texts;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;

/** Seats of a workshop for a while: held, then confirmed, cancelled or left to expire. */
@Path("/api/workshops/{workshop}/holds")
@Tag(name = "workshop holds")
@NonBlocking
public class WorkshopHoldsResource {

  private final HoldEngine engine;
  private final ReservationIds ids;
  private final Replays replays;

  WorkshopHoldsResource(HoldEngine engine, ReservationIds ids, Replays replays) {
    this.engine = engine;
    this.ids = ids;
    this.replays = replays;
  }

  @POST
  @Operation(
      operationId = "holdSeats",
      summary = "Hold seats",
      description = "The same request id of the same user gets the same hold while it stands.")
  @RequestBody(
      content =
          @Content(mediaType = JSON, schema = @Schema(implementation = WorkshopHoldRequest.class)))
  @APIResponse(
      responseCode = "200",
      description = "Held until expiresAt",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = SeatsHeld.class)))
  @APIResponse(responseCode = "409", ref = "Refused")
  @APIResponse(responseCode = "422", ref = "UnprocessableEntity")
  public CompletionStage<Response> hold(
      @RestPath String workshop, @Context RoutingContext context) {
    PoolKey pool = WorkshopName.of(workshop).pool();
    WorkshopHoldRequest request = WorkshopHoldRequest.of(JsonBodies.of(context));
    return engine
        .holdSeats(pool, request.forEngine(ids.next()))
        .thenApply(answer -> answer(request, answer));
  }

  private Response answer(WorkshopHoldRequest request, HoldAnswer answer) {
    if (!(answer instanceof HoldAnswer.Held held)) {
      return HoldReplies.taken();
    }
    Response.ResponseBuilder ok = JsonAnswers.of(Response.Status.OK, SeatsHeld.of(held));
    return held.replayed() ? replays.mark(ok, request.seats(), held.seats()).build() : ok.build();
  }

  @GET
  @Path("/{reservationId}")
  @Operation(operationId = "readSeatHold", summary = "Read one of the user's own holds")
  @APIResponse(
      responseCode = "200",
      description = "Its state and times",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = HoldView.class)))
  @APIResponse(responseCode = "404", ref = "NotFound")
  public CompletionStage<Response> read(
      @RestPath String workshop, @RestPath String reservationId, @RestQuery String userId) {
    PoolKey pool = WorkshopName.of(workshop).pool();
    Texts.check(userId, ApiError.INVALID_USER_ID);
    return HoldReplies.view(reservationId, userId, id -> engine.find(pool, id));
  }

  @POST
  @Path("/{reservationId}/" + HoldActions.PATH)
  @Operation(
      operationId = "settleSeatHold",
      summary = "Settle a hold of seats",
      description = HoldActions.DESCRIPTION)
  @RequestBody(
      content =
          @Content(
              mediaType = JSON,
              schema = @Schema(implementation = WorkshopSettleRequest.class)))
  @APIResponse(
      responseCode = "200",
      description = HoldActions.DONE,
      content = @Content(mediaType = JSON, schema = @Schema(implementation = SeatsSettled.class)))
  @APIResponse(responseCode = "409", ref = "Refused")
  public CompletionStage<Response> settle(
      @RestPath String workshop,
      @RestPath String reservationId,
      @RestPath String action,
      @Context RoutingContext context) {
    PoolKey pool = WorkshopName.of(workshop).pool();
    WorkshopSettleRequest request = WorkshopSettleRequest.of(JsonBodies.of(context));
    Settlement.Action wanted = HoldActions.of(action);
    return HoldReplies.settle(
        reservationId,
        id -> engine.settle(pool, wanted, new Settlement.Request(id, request.userId())),
        (id, settlement) -> SeatsSettled.of(id, wanted, settlement));
  }
}

package dev.seatfast.workshops;

import static dev.seatfast.http.ApiError.JSON;

import dev.seatfast.holds.HoldActions;
import dev.seatfast.holds.HoldView;
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

  private final SeatHolds holds;

  WorkshopHoldsResource(SeatHolds holds) {
    this.holds = holds;
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
    return holds.hold(WorkshopName.of(workshop).pool(), context);
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
      @RestPath String workshop,
      @RestPath String reservationId,
      @RestQuery String userId,
      @Context RoutingContext context) {
    return holds.read(WorkshopName.of(workshop).pool(), reservationId, userId, context);
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
    return holds.settle(WorkshopName.of(workshop).pool(), reservationId, action, context);
  }
}

package dev.seatfast.slots;

import static dev.seatfast.http.ApiError.JSON;

import dev.seatfast.access.Caller;
import dev.seatfast.engine.HoldEngine;
import dev.seatfast.engine.Settlement;
import dev.seatfast.holds.Held;
import dev.seatfast.holds.HoldReplies;
import dev.seatfast.holds.ReservationIds;
import dev.seatfast.holds.Settled;
import dev.seatfast.http.JsonBodies;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
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

/** The fixed slot contract. {@link SlotContractFilter} lets nothing else through. */
@Path("/api/reservations")
@Tag(name = "slots")
@NonBlocking
public class SlotReservationResource {

  private final HoldEngine engine;
  private final ReservationIds ids;

  SlotReservationResource(HoldEngine engine, ReservationIds ids) {
    this.engine = engine;
    this.ids = ids;
  }

  @POST
  @Path("/hold")
  @Operation(
      operationId = "holdSlot",
      summary = "Hold a slot",
      description =
          "The same idempotency key of the same user gets the same hold while it stands. A refusal"
              + " is not remembered.")
  @RequestBody(
      content =
          @Content(mediaType = JSON, schema = @Schema(implementation = SlotHoldRequest.class)))
  @APIResponse(
      responseCode = "200",
      description = "Held until expiresAt",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = Held.class)))
  @APIResponse(responseCode = "409", ref = "Refused")
  public CompletionStage<Response> hold(@Context RoutingContext context) {
    SlotHoldRequest request = SlotHoldRequest.of(JsonBodies.of(context));
    Caller.of(context).require(request.tenantId(), request.userId());
    return engine
        .holdSlot(request.slot().pool(), request.forEngine(ids.next()))
        .thenApply(HoldReplies::of);
  }

  @POST
  @Path("/confirm")
  @Operation(
      operationId = "confirmSlot",
      summary = "Confirm a held slot",
      description = "Confirming twice is the same success twice.")
  @RequestBody(
      content =
          @Content(mediaType = JSON, schema = @Schema(implementation = SlotConfirmRequest.class)))
  @APIResponse(
      responseCode = "200",
      description = "Confirmed",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = Settled.class)))
  @APIResponse(responseCode = "409", ref = "Refused")
  public CompletionStage<Response> confirm(@Context RoutingContext context) {
    SlotConfirmRequest request = SlotConfirmRequest.of(JsonBodies.of(context));
    Caller.of(context).require(request.tenantId(), request.userId());
    return HoldReplies.settle(
        request.reservationId(),
        Settlement.Action.CONFIRM,
        id ->
            engine
                .settle(
                    request.slot().pool(),
                    Settlement.Action.CONFIRM,
                    new Settlement.Request(id, request.userId()))
                .thenApply(SlotReservationResource::inThisContract));
  }

  /** This contract has three reasons. The others map to the nearest of them. */
  private static Settlement inThisContract(Settlement settlement) {
    Settlement.Outcome outcome =
        switch (settlement.outcome()) {
          case DONE, NOT_FOUND, NOT_OWNER, EXPIRED -> settlement.outcome();
          case CANCELLED, CONFIRMED, TOO_LONG -> Settlement.Outcome.EXPIRED;
          case PART_OF_GROUP -> Settlement.Outcome.NOT_FOUND;
        };
    return new Settlement(outcome, settlement.seats(), settlement.expiresAt());
  }
}

package dev.seatfast.slots;

import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.engine.HoldEngine;
import dev.seatfast.engine.HoldRequest;
import dev.seatfast.engine.Settlement;
import dev.seatfast.holds.HoldReplies;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.JsonBodies;
import dev.seatfast.http.Texts;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;

/** The fixed slot contract. {@link SlotContractFilter} has checked route and method. */
@Path("/api/reservations")
@NonBlocking
public class SlotReservationResource {

  private final HoldEngine engine;

  SlotReservationResource(HoldEngine engine) {
    this.engine = engine;
  }

  /** What a client sends to hold; described here, read field by field. */
  record HoldBody(
      String tenantId,
      String resourceId,
      String slotStartIso,
      String userId,
      String idempotencyKey) {}

  /** What a client sends to confirm; described here, read field by field. */
  record ConfirmBody(
      String tenantId,
      String resourceId,
      String slotStartIso,
      String reservationId,
      String userId) {}

  @POST
  @Path("/hold")
  @Operation(
      summary = "Hold a slot",
      description =
          "The same idempotency key of the same user gives the same hold while it stands. A refusal"
              + " is not remembered.")
  @RequestBody(
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON,
              schema = @Schema(implementation = HoldBody.class)))
  @APIResponse(
      responseCode = "200",
      description = "Held until expiresAt",
      content = @Content(schema = @Schema(implementation = HoldReplies.Ok.class)))
  @APIResponse(
      responseCode = "409",
      description = "Somebody has it",
      content = @Content(schema = @Schema(implementation = HoldReplies.Refusal.class)))
  @APIResponse(responseCode = "400", description = "A field is missing or wrong")
  @APIResponse(responseCode = "503", description = "No answer now; send the same request again")
  public CompletionStage<Response> hold(RoutingContext context) {
    JsonNode body = JsonBodies.of(context);
    SlotKey slot = SlotKey.parse(body);
    String userId = Texts.field(body, "userId", ApiError.INVALID_USER_ID);
    String key = Texts.field(body, "idempotencyKey", ApiError.INVALID_IDEMPOTENCY_KEY);
    return engine
        .holdSlot(slot.pool(), new HoldRequest(key, userId, 1, UUID.randomUUID()))
        .thenApply(HoldReplies::of);
  }

  @POST
  @Path("/confirm")
  @Operation(summary = "Confirm a held slot", description = "Twice is the same success twice.")
  @RequestBody(
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON,
              schema = @Schema(implementation = ConfirmBody.class)))
  @APIResponse(
      responseCode = "200",
      description = "Confirmed",
      content = @Content(schema = @Schema(implementation = HoldReplies.Ok.class)))
  @APIResponse(
      responseCode = "409",
      description = "NOT_FOUND, NOT_OWNER or EXPIRED",
      content = @Content(schema = @Schema(implementation = HoldReplies.Refusal.class)))
  @APIResponse(responseCode = "400", description = "A field is missing or wrong")
  @APIResponse(responseCode = "503", description = "No answer now; send the same request again")
  public CompletionStage<Response> confirm(RoutingContext context) {
    JsonNode body = JsonBodies.of(context);
    SlotKey slot = SlotKey.parse(body);
    String reservation = Texts.field(body, "reservationId", ApiError.INVALID_RESERVATION_ID);
    String userId = Texts.field(body, "userId", ApiError.INVALID_USER_ID);
    return HoldReplies.settle(
        reservation,
        id ->
            engine.settle(
                slot.pool(), Settlement.Action.CONFIRM, new Settlement.Request(id, userId)),
        SlotReservationResource::answer);
  }

  /** This contract has three reasons; what it does not know of maps to the nearest. */
  private static Response answer(UUID id, Settlement settlement) {
    return switch (settlement.outcome()) {
      case DONE, NOT_FOUND, NOT_OWNER, EXPIRED ->
          HoldReplies.of(id, Settlement.Action.CONFIRM, settlement);
      case CANCELLED, CONFIRMED, TOO_LONG -> HoldReplies.refused(Settlement.Outcome.EXPIRED.name());
      case PART_OF_GROUP -> HoldReplies.refused(Settlement.Outcome.NOT_FOUND.name());
    };
  }
}

package dev.seatfast.slots;

import static dev.seatfast.http.ApiError.JSON;

import dev.seatfast.access.Caller;
import dev.seatfast.engine.HoldEngine;
import dev.seatfast.engine.Settlement;
import dev.seatfast.engine.Slots;
import dev.seatfast.holds.HoldActions;
import dev.seatfast.holds.HoldReplies;
import dev.seatfast.holds.HoldView;
import dev.seatfast.holds.Settled;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.JsonAnswers;
import dev.seatfast.http.JsonBodies;
import dev.seatfast.http.Pages;
import dev.seatfast.http.Texts;
import dev.seatfast.http.Times;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;

/** What users of slots need beyond holding and confirming. */
@Path("/api/slots")
@Tag(name = "slots")
@NonBlocking
public class SlotsResource {

  private final HoldEngine holds;
  private final Slots slots;

  SlotsResource(HoldEngine holds, Slots slots) {
    this.holds = holds;
    this.slots = slots;
  }

  @GET
  @Operation(
      operationId = "listSlots",
      summary = "List the used slots of a resource by their start",
      description = "From the instant from, before the instant to.")
  @APIResponse(
      responseCode = "200",
      description = "A page",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = SlotPage.class)))
  public CompletionStage<Response> list(
      @RestQuery String tenantId,
      @RestQuery String resourceId,
      @RestQuery String from,
      @RestQuery String to,
      @RestQuery @DefaultValue(Pages.SIZE_DEFAULT) String limit,
      @Context RoutingContext context) {
    Texts.check(tenantId, ApiError.INVALID_TENANT_ID);
    Texts.check(resourceId, ApiError.INVALID_RESOURCE_ID);
    Caller.of(context).requireTenant(tenantId);
    Instant first = Times.instant(from, ApiError.INVALID_RANGE);
    Instant end = Times.instant(to, ApiError.INVALID_RANGE);
    if (!first.isBefore(end)) {
      throw new ApiException(ApiError.INVALID_RANGE);
    }
    int size = Pages.size(limit);
    return slots
        .list(tenantId, resourceId, first, end, size + 1)
        .thenApply(found -> JsonAnswers.ok(SlotPage.of(found, size)));
  }

  @GET
  @Path("/slot")
  @Operation(
      operationId = "readSlot",
      summary = "Read one slot",
      description = "An unused slot is free.")
  @APIResponse(
      responseCode = "200",
      description = "Its state",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = SlotView.class)))
  public CompletionStage<Response> slot(
      @RestQuery String tenantId,
      @RestQuery String resourceId,
      @RestQuery String slotStartIso,
      @Context RoutingContext context) {
    SlotKey key = SlotKey.of(tenantId, resourceId, slotStartIso);
    Caller.of(context).requireTenant(key.tenantId());
    return slots
        .find(key.tenantId(), key.resourceId(), key.start())
        .thenApply(found -> JsonAnswers.ok(SlotView.of(found)));
  }

  @GET
  @Path("/reservations/{reservationId}")
  @Operation(operationId = "readSlotHold", summary = "Read one of the user's own holds")
  @APIResponse(
      responseCode = "200",
      description = "Its state and times",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = HoldView.class)))
  @APIResponse(responseCode = "404", ref = "NotFound")
  public CompletionStage<Response> reservation(
      @RestPath String reservationId,
      @RestQuery String tenantId,
      @RestQuery String resourceId,
      @RestQuery String slotStartIso,
      @RestQuery String userId,
      @Context RoutingContext context) {
    SlotKey key = SlotKey.of(tenantId, resourceId, slotStartIso);
    Texts.check(userId, ApiError.INVALID_USER_ID);
    Caller.of(context).require(key.tenantId(), userId);
    return HoldReplies.view(reservationId, userId, id -> holds.find(key.pool(), id));
  }

  @POST
  @Path("/reservations/{reservationId}/" + HoldActions.PATH)
  @Operation(
      operationId = "settleSlotHold",
      summary = "Settle the hold of a slot",
      description = HoldActions.DESCRIPTION)
  @RequestBody(
      content =
          @Content(mediaType = JSON, schema = @Schema(implementation = SlotSettleRequest.class)))
  @APIResponse(
      responseCode = "200",
      description = HoldActions.DONE,
      content = @Content(mediaType = JSON, schema = @Schema(implementation = Settled.class)))
  @APIResponse(responseCode = "409", ref = "Refused")
  public CompletionStage<Response> settle(
      @RestPath String reservationId, @RestPath String action, @Context RoutingContext context) {
    SlotSettleRequest request = SlotSettleRequest.of(JsonBodies.of(context));
    Caller.of(context).require(request.tenantId(), request.userId());
    Settlement.Action wanted = HoldActions.of(action);
    return HoldReplies.settle(
        reservationId,
        wanted,
        id ->
            holds.settle(
                request.slot().pool(), wanted, new Settlement.Request(id, request.userId())));
  }
}

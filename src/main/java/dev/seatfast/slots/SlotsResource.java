package dev.seatfast.slots;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.engine.HoldEngine;
import dev.seatfast.engine.Settlement;
import dev.seatfast.engine.Slot;
import dev.seatfast.engine.Slots;
import dev.seatfast.holds.HoldReplies;
import dev.seatfast.holds.HoldView;
import dev.seatfast.holds.ReservationIds;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.JsonBodies;
import dev.seatfast.http.Pages;
import dev.seatfast.http.Texts;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;

/** What users of slots need beyond holding and confirming. */
@Path("/api/slots")
@NonBlocking
public class SlotsResource {

  private final HoldEngine holds;
  private final Slots slots;

  SlotsResource(HoldEngine holds, Slots slots) {
    this.holds = holds;
    this.slots = slots;
  }

  /** A slot. */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SlotView(Instant slotStartIso, Slot.State state, Long heldUntil) {

    static SlotView of(Slot slot) {
      return new SlotView(
          slot.start(),
          slot.state(),
          slot.heldUntil() == null ? null : slot.heldUntil().toEpochMilli());
    }
  }

  /** Some slots, and what to pass as {@code from} for those that follow. */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SlotPage(List<SlotView> slots, Instant next) {}

  @GET
  @Operation(
      summary = "List a resource's slots that were ever used, by their start",
      description = "From the instant from, before the instant to, both with an offset or Z.")
  @APIResponse(responseCode = "200", description = "A page; go on with next as from")
  @APIResponse(responseCode = "400", description = "A parameter is missing or wrong")
  public CompletionStage<SlotPage> list(
      @RestQuery String tenantId,
      @RestQuery String resourceId,
      @RestQuery String from,
      @RestQuery String to,
      @RestQuery @DefaultValue(Pages.SIZE_DEFAULT) String limit) {
    Texts.check(tenantId, ApiError.INVALID_TENANT_ID);
    Texts.check(resourceId, ApiError.INVALID_RESOURCE_ID);
    Instant first = SlotKey.instant(from, ApiError.INVALID_RANGE);
    Instant end = SlotKey.instant(to, ApiError.INVALID_RANGE);
    if (!first.isBefore(end)) {
      throw new ApiException(ApiError.INVALID_RANGE);
    }
    int size = Pages.size(limit);
    return slots
        .list(tenantId, resourceId, first, end, size + 1)
        .thenApply(
            found ->
                new SlotPage(
                    found.stream().limit(size).map(SlotView::of).toList(),
                    found.size() > size ? found.get(size).start() : null));
  }

  @GET
  @Path("/slot")
  @Operation(summary = "Read one slot", description = "One that nobody used yet is free.")
  @APIResponse(responseCode = "200", description = "Its state")
  @APIResponse(responseCode = "400", description = "A parameter is missing or wrong")
  public CompletionStage<SlotView> slot(
      @RestQuery String tenantId, @RestQuery String resourceId, @RestQuery String slotStartIso) {
    SlotKey key = SlotKey.of(tenantId, resourceId, slotStartIso);
    return slots.find(key.tenantId(), key.resourceId(), key.start()).thenApply(SlotView::of);
  }

  @GET
  @Path("/reservations/{reservationId}")
  @Operation(summary = "Read one of one's reservations")
  @APIResponse(responseCode = "200", description = "Its state and times")
  @APIResponse(responseCode = "404", description = "There is none, or it is somebody else's")
  public CompletionStage<HoldView> reservation(
      @RestPath String reservationId,
      @RestQuery String tenantId,
      @RestQuery String resourceId,
      @RestQuery String slotStartIso,
      @RestQuery String userId) {
    SlotKey key = SlotKey.of(tenantId, resourceId, slotStartIso);
    Texts.check(userId, ApiError.INVALID_USER_ID);
    return holds
        .find(key.pool(), ReservationIds.parse(reservationId).orElseThrow(SlotsResource::notFound))
        .thenApply(
            found ->
                found
                    .filter(hold -> hold.owner().equals(userId))
                    .map(HoldView::of)
                    .orElseThrow(SlotsResource::notFound));
  }

  @POST
  @Path("/reservations/{reservationId}/cancel")
  @Operation(
      summary = "Give a slot back, confirmed or not",
      description = "The body names the slot and the user, as for a confirmation.")
  @APIResponse(responseCode = "200", description = "Cancelled, now or before")
  @APIResponse(responseCode = "409", description = "NOT_FOUND, NOT_OWNER, EXPIRED or PART_OF_GROUP")
  public CompletionStage<Response> cancel(@RestPath String reservationId, RoutingContext context) {
    return settle(reservationId, Settlement.Action.CANCEL, context);
  }

  @POST
  @Path("/reservations/{reservationId}/extend")
  @Operation(
      summary = "Give a hold a full time to live from now",
      description = "Within the longest time that a hold may last in all.")
  @APIResponse(responseCode = "200", description = "Extended to expiresAt")
  @APIResponse(
      responseCode = "409",
      description =
          "NOT_FOUND, NOT_OWNER, EXPIRED, CANCELLED, CONFIRMED, TOO_LONG or PART_OF_GROUP")
  public CompletionStage<Response> extend(@RestPath String reservationId, RoutingContext context) {
    return settle(reservationId, Settlement.Action.EXTEND, context);
  }

  @POST
  @Path("/reservations/{reservationId}/confirm")
  @Operation(summary = "Confirm a hold", description = "With all reasons, unlike the fixed route.")
  @APIResponse(responseCode = "200", description = "Confirmed, now or before")
  @APIResponse(
      responseCode = "409",
      description = "NOT_FOUND, NOT_OWNER, EXPIRED, CANCELLED or PART_OF_GROUP")
  public CompletionStage<Response> confirm(@RestPath String reservationId, RoutingContext context) {
    return settle(reservationId, Settlement.Action.CONFIRM, context);
  }

  private CompletionStage<Response> settle(
      String reservationId, Settlement.Action action, RoutingContext context) {
    JsonNode body = JsonBodies.of(context);
    SlotKey key = SlotKey.parse(body);
    String userId = Texts.field(body, "userId", ApiError.INVALID_USER_ID);
    return HoldReplies.settle(
        reservationId,
        id -> holds.settle(key.pool(), action, new Settlement.Request(id, userId)),
        (id, settlement) -> HoldReplies.of(id, action, settlement));
  }

  private static ApiException notFound() {
    return new ApiException(ApiError.NOT_FOUND);
  }
}

package dev.seatfast.slots;

import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.engine.HoldRequest;
import dev.seatfast.engine.PoolKey;
import dev.seatfast.engine.Settlement;
import dev.seatfast.engine.SlotGroups;
import dev.seatfast.holds.HoldReplies;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.JsonBodies;
import dev.seatfast.http.Texts;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jboss.resteasy.reactive.RestPath;

/** Several slots at once, all or none. The id of a group takes the place of a reservation's id. */
@Path("/api/slots/groups")
@NonBlocking
public class SlotGroupsResource {

  private final SlotGroups groups;

  SlotGroupsResource(SlotGroups groups) {
    this.groups = groups;
  }

  /** One slot of a group. */
  record SlotBody(String resourceId, String slotStartIso) {}

  /** What a client sends to hold a group; described here, read field by field. */
  record GroupBody(String tenantId, List<SlotBody> slots, String userId, String idempotencyKey) {}

  @POST
  @Operation(
      summary = "Hold 1 to 32 slots of a tenant, all or none",
      description = "A group that names a slot twice is refused whole.")
  @RequestBody(
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON,
              schema = @Schema(implementation = GroupBody.class)))
  @APIResponse(responseCode = "200", description = "All held until expiresAt")
  @APIResponse(responseCode = "409", description = "Somebody has one of them; none is held")
  @APIResponse(responseCode = "400", description = "A field is missing or wrong")
  public CompletionStage<Response> hold(RoutingContext context) {
    JsonNode body = JsonBodies.of(context);
    String tenantId = Texts.field(body, "tenantId", ApiError.INVALID_TENANT_ID);
    List<PoolKey> slots = slots(tenantId, body.path("slots"));
    String userId = Texts.field(body, "userId", ApiError.INVALID_USER_ID);
    String key = Texts.field(body, "idempotencyKey", ApiError.INVALID_IDEMPOTENCY_KEY);
    return groups
        .hold(slots, new HoldRequest(key, userId, 1, UUID.randomUUID()))
        .thenApply(
            held ->
                held.map(HoldReplies::of).orElseGet(() -> HoldReplies.refused(HoldReplies.TAKEN)));
  }

  private static List<PoolKey> slots(String tenantId, JsonNode slots) {
    if (!slots.isArray() || slots.isEmpty() || slots.size() > SlotGroups.SLOTS_MAX) {
      throw new ApiException(ApiError.INVALID_SLOTS);
    }
    List<PoolKey> pools = new ArrayList<>();
    slots.forEach(slot -> pools.add(SlotKey.parse(tenantId, slot).pool()));
    if (new HashSet<>(pools).size() < pools.size()) {
      throw new ApiException(ApiError.INVALID_SLOTS);
    }
    return pools;
  }

  @POST
  @Path("/{groupId}/confirm")
  @Operation(
      summary = "Confirm all slots of a group",
      description = "The body has tenantId, userId.")
  @APIResponse(responseCode = "200", description = "All confirmed, now or before")
  @APIResponse(responseCode = "409", description = "NOT_FOUND, NOT_OWNER, EXPIRED or CANCELLED")
  public CompletionStage<Response> confirm(@RestPath String groupId, RoutingContext context) {
    return settle(groupId, Settlement.Action.CONFIRM, context);
  }

  @POST
  @Path("/{groupId}/cancel")
  @Operation(
      summary = "Give all slots of a group back",
      description = "The body has tenantId, userId.")
  @APIResponse(responseCode = "200", description = "All cancelled, now or before")
  @APIResponse(responseCode = "409", description = "NOT_FOUND, NOT_OWNER or EXPIRED")
  public CompletionStage<Response> cancel(@RestPath String groupId, RoutingContext context) {
    return settle(groupId, Settlement.Action.CANCEL, context);
  }

  @POST
  @Path("/{groupId}/extend")
  @Operation(
      summary = "Give all holds of a group more time",
      description = "The body has tenantId, userId.")
  @APIResponse(responseCode = "200", description = "All extended to expiresAt")
  @APIResponse(
      responseCode = "409",
      description = "NOT_FOUND, NOT_OWNER, EXPIRED, CANCELLED, CONFIRMED or TOO_LONG")
  public CompletionStage<Response> extend(@RestPath String groupId, RoutingContext context) {
    return settle(groupId, Settlement.Action.EXTEND, context);
  }

  private CompletionStage<Response> settle(
      String groupId, Settlement.Action action, RoutingContext context) {
    JsonNode body = JsonBodies.of(context);
    String tenantId = Texts.field(body, "tenantId", ApiError.INVALID_TENANT_ID);
    String userId = Texts.field(body, "userId", ApiError.INVALID_USER_ID);
    return HoldReplies.settle(
        groupId,
        id -> groups.settle(tenantId, action, new Settlement.Request(id, userId)),
        (id, settlement) -> HoldReplies.of(id, action, settlement));
  }
}

package dev.seatfast.slots;

import static dev.seatfast.http.ApiError.JSON;

import dev.seatfast.access.Caller;
import dev.seatfast.engine.Settlement;
import dev.seatfast.engine.SlotGroups;
import dev.seatfast.holds.Held;
import dev.seatfast.holds.HoldActions;
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
import org.jboss.resteasy.reactive.RestPath;

/** Several slots at once, all or none. The id of a group takes the place of a reservation's id. */
@Path("/api/slots/groups")
@Tag(name = "slots")
@NonBlocking
public class SlotGroupsResource {

  private final SlotGroups groups;
  private final ReservationIds ids;

  SlotGroupsResource(SlotGroups groups, ReservationIds ids) {
    this.groups = groups;
    this.ids = ids;
  }

  @POST
  @Operation(
      operationId = "holdSlotGroup",
      summary = "Hold several slots of a tenant, all or none",
      description =
          "The same idempotency key of the same user, with the same slots, gets the same hold while"
              + " it stands. The reservationId of the answer is that of the group.")
  @RequestBody(
      content =
          @Content(mediaType = JSON, schema = @Schema(implementation = GroupHoldRequest.class)))
  @APIResponse(
      responseCode = "200",
      description = "All held until expiresAt",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = Held.class)))
  @APIResponse(responseCode = "409", ref = "Refused")
  public CompletionStage<Response> hold(@Context RoutingContext context) {
    GroupHoldRequest request = GroupHoldRequest.of(JsonBodies.of(context));
    Caller.of(context).require(request.tenantId(), request.userId());
    return groups
        .hold(request.pools(), request.forEngine(ids.next()))
        .thenApply(held -> held.map(HoldReplies::of).orElseGet(HoldReplies::taken));
  }

  @POST
  @Path("/{groupId}/" + HoldActions.PATH)
  @Operation(
      operationId = "settleSlotGroup",
      summary = "Settle the holds of a group, all or none",
      description = HoldActions.DESCRIPTION)
  @RequestBody(
      content =
          @Content(mediaType = JSON, schema = @Schema(implementation = GroupSettleRequest.class)))
  @APIResponse(
      responseCode = "200",
      description = HoldActions.DONE,
      content = @Content(mediaType = JSON, schema = @Schema(implementation = Settled.class)))
  @APIResponse(responseCode = "409", ref = "Refused")
  public CompletionStage<Response> settle(
      @RestPath String groupId, @RestPath String action, @Context RoutingContext context) {
    GroupSettleRequest request = GroupSettleRequest.of(JsonBodies.of(context));
    Caller.of(context).require(request.tenantId(), request.userId());
    Settlement.Action wanted = HoldActions.of(action);
    return HoldReplies.settle(
        groupId,
        wanted,
        id ->
            groups.settle(
                request.tenantId(), wanted, new Settlement.Request(id, request.userId())));
  }
}

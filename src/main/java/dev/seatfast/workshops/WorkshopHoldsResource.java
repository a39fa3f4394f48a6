package dev.seatfast.workshops;

import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.engine.HoldEngine;
import dev.seatfast.engine.HoldRequest;
import dev.seatfast.engine.PoolKey;
import dev.seatfast.engine.SeatRequest;
import dev.seatfast.engine.Settlement;
import dev.seatfast.holds.HoldReplies;
import dev.seatfast.holds.HoldView;
import dev.seatfast.holds.ReservationIds;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.JsonBodies;
import dev.seatfast.http.Texts;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;

/** Seats of a workshop for a while: held, then confirmed, cancelled or left to expire. */
@Path("/api/workshops/{workshop}/holds")
@NonBlocking
public class WorkshopHoldsResource {

  private final HoldEngine engine;

  WorkshopHoldsResource(HoldEngine engine) {
    this.engine = engine;
  }

  @POST
  @Operation(
      summary = "Hold 1 to 4 seats",
      description =
          "The body has requestId and seats as for a reservation, and userId. The same request id"
              + " of the same user gives the same hold while it stands.")
  @APIResponse(responseCode = "200", description = "Held until expiresAt")
  @APIResponse(responseCode = "409", description = "Too few seats are free")
  @APIResponse(responseCode = "400", description = "The name or a field is wrong")
  public CompletionStage<Response> hold(@RestPath String workshop, RoutingContext context) {
    PoolKey pool = pool(workshop);
    JsonNode body = JsonBodies.of(context);
    SeatRequest request = ReservationBody.parse(body);
    String userId = Texts.field(body, "userId", ApiError.INVALID_USER_ID);
    return engine
        .holdSeats(
            pool, new HoldRequest(request.requestId(), userId, request.seats(), UUID.randomUUID()))
        .thenApply(HoldReplies::of);
  }

  @GET
  @Path("/{reservationId}")
  @Operation(summary = "Read one of one's holds")
  @APIResponse(responseCode = "200", description = "Its state and times")
  @APIResponse(responseCode = "404", description = "There is none, or it is somebody else's")
  public CompletionStage<HoldView> read(
      @RestPath String workshop, @RestPath String reservationId, @RestQuery String userId) {
    PoolKey pool = pool(workshop);
    Texts.check(userId, ApiError.INVALID_USER_ID);
    return engine
        .find(pool, id(reservationId))
        .thenApply(
            found ->
                found
                    .filter(hold -> hold.owner().equals(userId))
                    .map(HoldView::of)
                    .orElseThrow(() -> new ApiException(ApiError.NOT_FOUND)));
  }

  @POST
  @Path("/{reservationId}/{action: confirm|cancel|extend}")
  @Operation(
      summary = "Confirm, cancel or extend a hold",
      description =
          "The body has userId. Confirming or cancelling twice is the same success twice.")
  @APIResponse(responseCode = "200", description = "It is so, now or before")
  @APIResponse(
      responseCode = "409",
      description = "NOT_FOUND, NOT_OWNER, EXPIRED, CANCELLED, CONFIRMED or TOO_LONG")
  public CompletionStage<Response> settle(
      @RestPath String workshop,
      @RestPath String reservationId,
      @RestPath String action,
      RoutingContext context) {
    PoolKey pool = pool(workshop);
    String userId = Texts.field(JsonBodies.of(context), "userId", ApiError.INVALID_USER_ID);
    Settlement.Action wanted =
        switch (action) {
          case "confirm" -> Settlement.Action.CONFIRM;
          case "cancel" -> Settlement.Action.CANCEL;
          default -> Settlement.Action.EXTEND;
        };
    UUID id = id(reservationId);
    return engine
        .settle(pool, wanted, new Settlement.Request(id, userId))
        .thenApply(settlement -> HoldReplies.of(id, wanted, settlement));
  }

  private static UUID id(String reservationId) {
    return ReservationIds.parse(reservationId)
        .orElseThrow(() -> new ApiException(ApiError.NOT_FOUND));
  }

  private static PoolKey pool(String workshop) {
    if (!WorkshopName.isValid(workshop)) {
      throw new ApiException(ApiError.INVALID_WORKSHOP_NAME);
    }
    return PoolKey.ofWorkshop(workshop);
  }
}

package dev.seatfast.operators;

import static dev.seatfast.http.ApiError.JSON;

import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.engine.SeatPools;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.JsonAnswers;
import dev.seatfast.http.JsonBodies;
import dev.seatfast.http.Limits;
import dev.seatfast.workshops.WorkshopName;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;

/** Sets how many seats a workshop has. */
@Path("/api/workshops/{workshop}/capacity")
@Tag(name = "operators")
@OperatorOnly
@Blocking
public class CapacityResource {

  private final SeatPools pools;

  CapacityResource(SeatPools pools) {
    this.pools = pools;
  }

  /** The seats that a workshop shall have. */
  record CapacityRequest(@Schema(minimum = "0", maximum = "" + Limits.CAPACITY_MAX) int capacity) {

    /**
     * Reads it from a body.
     *
     * @throws ApiException {@link ApiError#INVALID_CAPACITY} if the field is missing or wrong
     */
    static CapacityRequest of(JsonNode body) {
      JsonNode capacity = body.path("capacity");
      if (!capacity.isInt()
          || capacity.intValue() < 0
          || capacity.intValue() > Limits.CAPACITY_MAX) {
        throw new ApiException(ApiError.INVALID_CAPACITY);
      }
      return new CapacityRequest(capacity.intValue());
    }
  }

  /** The seats that a workshop has. */
  @RegisterForReflection
  record Capacity(String workshop, int capacity) {}

  @PUT
  @Operation(
      operationId = "setCapacity",
      summary = "Set the seats of a workshop",
      description = "Earlier decisions stay. The capacity cannot go below the seats taken.")
  @RequestBody(
      content =
          @Content(mediaType = JSON, schema = @Schema(implementation = CapacityRequest.class)))
  @APIResponse(
      responseCode = "200",
      description = "Set",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = Capacity.class)))
  @APIResponse(responseCode = "409", ref = "Conflict")
  public Response setCapacity(@RestPath String workshop, @Context RoutingContext context) {
    WorkshopName name = WorkshopName.of(workshop);
    CapacityRequest request = CapacityRequest.of(JsonBodies.of(context));
    if (!pools.setCapacity(name.pool(), request.capacity())) {
      throw new ApiException(ApiError.CAPACITY_BELOW_RESERVED);
    }
    return JsonAnswers.ok(new Capacity(name.value(), request.capacity()));
  }
}

package dev.seatfast.operators;

import static dev.seatfast.http.ApiError.JSON;

import dev.seatfast.workshops.Tenants;
import dev.seatfast.workshops.WorkshopName;
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

/** Sets how many seats a tenant's workshop has. */
@Path("/api/tenants/{tenant}/workshops/{workshop}/capacity")
@Tag(name = "operators")
@OperatorOnly
@Blocking
public class TenantCapacityResource {

  private final Capacities capacities;

  TenantCapacityResource(Capacities capacities) {
    this.capacities = capacities;
  }

  @PUT
  @Operation(
      operationId = "setCapacityOfTenant",
      summary = "Set the seats of a tenant's workshop",
      description = "Earlier decisions stay. The capacity cannot go below the seats taken.")
  @RequestBody(
      content =
          @Content(
              mediaType = JSON,
              schema = @Schema(implementation = Capacities.CapacityRequest.class)))
  @APIResponse(
      responseCode = "200",
      description = "Set",
      content =
          @Content(mediaType = JSON, schema = @Schema(implementation = Capacities.Capacity.class)))
  @APIResponse(responseCode = "409", ref = "Conflict")
  public Response setCapacity(
      @RestPath String tenant, @RestPath String workshop, @Context RoutingContext context) {
    Tenants.requireOperator(tenant, context);
    WorkshopName name = WorkshopName.of(workshop);
    return capacities.set(name, name.pool(tenant), context);
  }
}

package dev.seatfast.operators;

import static dev.seatfast.http.ApiError.JSON;

import dev.seatfast.workshops.Tenants;
import dev.seatfast.workshops.WorkshopName;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
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

/** When seats of a tenant's workshop may be taken. */
@Path("/api/tenants/{tenant}/workshops/{workshop}/opening")
@Tag(name = "operators")
@OperatorOnly
@Blocking
public class TenantOpeningResource {

  private final Openings openings;

  TenantOpeningResource(Openings openings) {
    this.openings = openings;
  }

  @GET
  @Operation(
      operationId = "readOpeningOfTenant",
      summary = "Read when seats of a tenant's workshop may be taken",
      description = "A workshop whose opening nobody set is always open.")
  @APIResponse(
      responseCode = "200",
      description = "Its opening",
      content =
          @Content(
              mediaType = JSON,
              schema = @Schema(implementation = Openings.WorkshopOpening.class)))
  public Response readOpening(
      @RestPath String tenant, @RestPath String workshop, @Context RoutingContext context) {
    Tenants.requireOperator(tenant, context);
    WorkshopName name = WorkshopName.of(workshop);
    return openings.read(name, name.pool(tenant));
  }

  @PUT
  @Operation(
      operationId = "setOpeningOfTenant",
      summary = "Set when seats of a tenant's workshop may be taken",
      description =
          "From opensAt on, before closesAt, and not while paused, by the database's clock. Earlier"
              + " decisions stay, and what is held may be confirmed at any time.")
  @RequestBody(
      content =
          @Content(
              mediaType = JSON,
              schema = @Schema(implementation = Openings.OpeningRequest.class)))
  @APIResponse(
      responseCode = "200",
      description = "Set",
      content =
          @Content(
              mediaType = JSON,
              schema = @Schema(implementation = Openings.WorkshopOpening.class)))
  public Response setOpening(
      @RestPath String tenant, @RestPath String workshop, @Context RoutingContext context) {
    Tenants.requireOperator(tenant, context);
    WorkshopName name = WorkshopName.of(workshop);
    return openings.set(name, name.pool(tenant), context);
  }
}

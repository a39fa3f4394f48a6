package dev.seatfast.operators;

import static dev.seatfast.http.ApiError.JSON;

import dev.seatfast.http.Pages;
import dev.seatfast.workshops.Tenants;
import dev.seatfast.workshops.WorkshopName;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;

/** Lists the attempts of a tenant's workshop. */
@Path("/api/tenants/{tenant}/workshops/{workshop}/attempts")
@Tag(name = "operators")
@OperatorOnly
@Blocking
public class TenantAttemptsResource {

  private final AttemptPages pages;

  TenantAttemptsResource(AttemptPages pages) {
    this.pages = pages;
  }

  @GET
  @Operation(
      operationId = "listAttemptsOfTenant",
      summary = "List the attempts of a tenant's workshop by their request id",
      description = "Pass on the after of each page to get the next one.")
  @APIResponse(
      responseCode = "200",
      description = "A page",
      content =
          @Content(
              mediaType = JSON,
              schema = @Schema(implementation = AttemptPages.AttemptPage.class)))
  public Response list(
      @RestPath String tenant,
      @RestPath String workshop,
      @RestQuery @DefaultValue("") String after,
      @RestQuery @DefaultValue(Pages.SIZE_DEFAULT) String limit,
      @Context RoutingContext context) {
    Tenants.requireOperator(tenant, context);
    return pages.list(WorkshopName.of(workshop).pool(tenant), after, limit);
  }
}

package dev.seatfast.workshops;

import static dev.seatfast.http.ApiError.JSON;

import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;

/** What a tenant's workshops have left. */
@Path("/api/tenants/{tenant}/availability")
@Tag(name = "workshops")
@NonBlocking
public class TenantAvailabilityResource {

  private final AvailabilityAnswers answers;

  TenantAvailabilityResource(AvailabilityAnswers answers) {
    this.answers = answers;
  }

  @GET
  @Operation(
      operationId = "readAvailabilityOfTenant",
      summary = "Read what a tenant's workshops have left",
      description = AvailabilityAnswers.DESCRIPTION)
  @APIResponse(
      responseCode = "200",
      description = "Each of them, in the order of the query",
      headers = @Header(name = "ETag", schema = @Schema(type = SchemaType.STRING)),
      content =
          @Content(
              mediaType = JSON,
              schema = @Schema(implementation = AvailabilityAnswers.AvailabilityList.class)))
  @APIResponse(responseCode = "304", description = "Nothing is different")
  public CompletionStage<Response> read(
      @RestPath String tenant,
      @Parameter(description = "1 to 100 names of workshops, with commas between them") @RestQuery
          String workshops,
      @Context RoutingContext context,
      @Context Request request) {
    Tenants.require(tenant, context);
    return answers.read(workshops, name -> name.pool(tenant), request);
  }
}

package dev.seatfast.workshops;

import static dev.seatfast.http.ApiError.JSON;

import dev.seatfast.http.JsonAnswers;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Says that the service answers. {@code /q/health/ready} says whether it can decide. */
@Path("/health")
@Tag(name = "workshops")
@NonBlocking
public class HealthResource {

  @RegisterForReflection
  record Health(String status) {}

  @GET
  @Operation(operationId = "readHealth", summary = "Check that the service answers")
  @APIResponse(
      responseCode = "200",
      description = "It does",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = Health.class)))
  public Response health() {
    return JsonAnswers.ok(new Health("ok"));
  }
}

package dev.seatfast.workshops;

import static dev.seatfast.http.ApiError.JSON;

import io.smallrye.common.annotation.NonBlocking;
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
import org.jboss.resteasy.reactive.RestQuery;

/** What workshops have left. */
@Path("/api/availability")
@Tag(name = "workshops")
@NonBlocking
public class AvailabilityResource {

  private final AvailabilityAnswers answers;

  AvailabilityResource(AvailabilityAnswers answers) {
    this.answers = answers;
  }

  @GET
  @Operation(
      operationId = "readAvailability",
      summary = "Read what workshops have left",
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
      @Parameter(description = "1 to 100 names of workshops, with commas between them") @RestQuery
          String workshops,
      @Context Request request) {
    return answers.read(workshops, WorkshopName::pool, request);
  }
}

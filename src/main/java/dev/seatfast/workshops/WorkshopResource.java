package dev.seatfast.workshops;

import static dev.seatfast.http.ApiError.JSON;

import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
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

/** The fixed workshop contract. {@link WorkshopContractFilter} lets nothing else through. */
@Path("/workshops/{workshop}")
@Tag(name = "workshops")
@NonBlocking
public class WorkshopResource {

  private final Reservations reservations;

  WorkshopResource(Reservations reservations) {
    this.reservations = reservations;
  }

  @POST
  @Path("/reservations")
  @Operation(
      operationId = "reserve",
      summary = "Reserve seats",
      description =
          "Each request id is decided once. Sent again, it gets the first decision again.")
  @RequestBody(
      content =
          @Content(mediaType = JSON, schema = @Schema(implementation = ReservationRequest.class)))
  @APIResponse(
      responseCode = "201",
      description = "Accepted",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = Reservation.class)))
  @APIResponse(
      responseCode = "409",
      description =
          "Rejected: too few seats are left. Or, as an error, not decided at all: booking is not open,"
              + " and the same request may be accepted later",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = Reservation.class)))
  @APIResponse(responseCode = "422", ref = "UnprocessableEntity")
  public CompletionStage<Response> reserve(
      @RestPath String workshop, @Context RoutingContext context) {
    WorkshopName name = WorkshopName.of(workshop);
    return reservations.reserve(name, name.pool(), context);
  }

  @GET
  @Path("/status")
  @Operation(
      operationId = "readStatus",
      summary = "Read the seats of a workshop",
      description = "Reading never writes. An unused workshop shows the default capacity.")
  @APIResponse(
      responseCode = "200",
      description = "Its counts",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = WorkshopStatus.class)))
  public CompletionStage<Response> status(@RestPath String workshop) {
    WorkshopName name = WorkshopName.of(workshop);
    return reservations.status(name, name.pool());
  }
}

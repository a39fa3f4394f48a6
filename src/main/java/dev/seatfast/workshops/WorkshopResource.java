package dev.seatfast.workshops;

import dev.seatfast.engine.Decision;
import dev.seatfast.engine.PoolKey;
import dev.seatfast.engine.PoolStatus;
import dev.seatfast.engine.ReservationEngine;
import dev.seatfast.engine.SeatRequest;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.JsonBodies;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jboss.resteasy.reactive.RestPath;

/**
 * The fixed workshop contract. {@link WorkshopContractFilter} has checked route, name and method.
 */
@Path("/workshops/{workshop}")
@NonBlocking
public class WorkshopResource {

  private final ReservationEngine engine;
  private final DecisionLog log;
  private final WorkshopConfig config;

  WorkshopResource(ReservationEngine engine, DecisionLog log, WorkshopConfig config) {
    this.engine = engine;
    this.log = log;
    this.config = config;
  }

  /** What a client is told about its request. */
  @RegisterForReflection
  public record Reservation(
      String workshop,
      String requestId,
      int seats,
      String status,
      int capacity,
      int reserved,
      boolean replayed) {}

  /** What anybody may know about a workshop. */
  @RegisterForReflection
  public record Status(
      String workshop,
      int capacity,
      int reserved,
      long acceptedRequests,
      long rejectedRequests,
      long acceptedSeats) {}

  /** What a client sends; described here, read by {@link ReservationBody}. */
  record ReservationRequest(
      @Schema(pattern = "[a-z][a-z0-9-]{2,47}", required = true) String requestId,
      @Schema(minimum = "1", maximum = "4", required = true) int seats) {}

  @POST
  @Path("/reservations")
  @Operation(
      summary = "Reserve seats",
      description =
          "Decides once per request id. The same id again gives the first decision again, with the"
              + " header Idempotency-Replayed.")
  @RequestBody(
      required = true,
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON,
              schema = @Schema(implementation = ReservationRequest.class)))
  @APIResponse(
      responseCode = "201",
      description = "Accepted",
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON,
              schema = @Schema(implementation = Reservation.class)))
  @APIResponse(
      responseCode = "409",
      description = "Rejected: too few seats are left",
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON,
              schema = @Schema(implementation = Reservation.class)))
  @APIResponse(responseCode = "400", description = "The name, the JSON or a field is not valid")
  @APIResponse(responseCode = "413", description = "The body is larger than 64 KiB")
  @APIResponse(responseCode = "422", description = "The request id was first used with other seats")
  @APIResponse(responseCode = "503", description = "No answer now; send the same request again")
  public CompletionStage<Response> reserve(
      @Parameter(schema = @Schema(pattern = "[a-z][a-z0-9-]{0,31}")) @RestPath String workshop,
      RoutingContext context) {
    WorkshopName name = checkedName(context);
    SeatRequest request = ReservationBody.parse(JsonBodies.of(context));
    return engine
        .reserve(PoolKey.ofWorkshop(name.value()), request)
        .thenApply(decision -> answer(name, request, decision));
  }

  private Response answer(WorkshopName workshop, SeatRequest request, Decision decision) {
    log.decided(workshop, decision);
    boolean mismatch = decision.replayed() && decision.seats() != request.seats();
    if (mismatch && config.rejectMismatch()) {
      throw new ApiException(ApiError.IDEMPOTENCY_MISMATCH);
    }
    Response.ResponseBuilder response =
        Response.status(
                switch (decision.outcome()) {
                  case ACCEPTED -> Response.Status.CREATED;
                  case REJECTED -> Response.Status.CONFLICT;
                })
            .type(MediaType.APPLICATION_JSON_TYPE)
            .entity(
                new Reservation(
                    workshop.value(),
                    decision.requestId(),
                    decision.seats(),
                    decision.outcome().name().toLowerCase(Locale.ROOT),
                    decision.capacity(),
                    decision.reserved(),
                    decision.replayed()));
    if (decision.replayed()) {
      response.header("Idempotency-Replayed", "true");
    }
    if (mismatch) {
      response.header("Idempotency-Mismatch", "seats");
    }
    return response.build();
  }

  @GET
  @Path("/status")
  @Operation(
      summary = "Read the seats of a workshop",
      description = "Reading never writes; a workshop nobody used yet shows the default capacity.")
  @APIResponse(
      responseCode = "200",
      description = "Its counts, all from one instant",
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON,
              schema = @Schema(implementation = Status.class)))
  @APIResponse(responseCode = "400", description = "The name is not valid")
  @APIResponse(responseCode = "503", description = "No answer now")
  public CompletionStage<Response> status(
      @Parameter(schema = @Schema(pattern = "[a-z][a-z0-9-]{0,31}")) @RestPath String workshop,
      RoutingContext context) {
    WorkshopName name = checkedName(context);
    return engine
        .status(PoolKey.ofWorkshop(name.value()))
        .thenApply(status -> answer(name, status));
  }

  private static Response answer(WorkshopName workshop, PoolStatus status) {
    return Response.ok(
            new Status(
                workshop.value(),
                status.capacity(),
                status.reserved(),
                status.acceptedRequests(),
                status.rejectedRequests(),
                status.acceptedSeats()),
            MediaType.APPLICATION_JSON_TYPE)
        .build();
  }

  private static WorkshopName checkedName(RoutingContext context) {
    WorkshopName name = context.get(WorkshopContractFilter.WORKSHOP);
    if (name == null) {
      throw new NotFoundException();
    }
    return name;
  }
}

package dev.seatfast.operators;

import static dev.seatfast.http.ApiError.JSON;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.seatfast.engine.Events;
import dev.seatfast.http.JsonAnswers;
import dev.seatfast.http.Pages;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;

/** Lets other systems follow the events of all pools. */
@Path("/internal/events")
@Tag(name = "operators")
@OperatorOnly
@Blocking
public class EventsResource {

  private final Events events;

  EventsResource(Events events) {
    this.events = events;
  }

  /**
   * One transition of a seat pool.
   *
   * @param position among the events of all pools
   * @param number among the events of the pool, from 1, without a gap
   * @param reservationId of a hold, else null
   * @param expiresAt of a hold, else null
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record EventView(
      long position,
      String pool,
      long number,
      String kind,
      String requestId,
      @Schema(nullable = true) UUID reservationId,
      int seats,
      @Schema(nullable = true) Instant expiresAt,
      Instant occurredAt) {

    static EventView of(Events.Event event) {
      return new EventView(
          event.position(),
          event.pool(),
          event.number(),
          event.kind(),
          event.requestId(),
          event.reservationId(),
          event.seats(),
          event.expiresAt(),
          event.occurredAt());
    }
  }

  /**
   * Some events.
   *
   * @param after what to pass on for those that follow
   */
  @RegisterForReflection
  record EventPage(List<EventView> events, long after) {

    static EventPage of(List<Events.Event> page, long after) {
      return new EventPage(
          page.stream().map(EventView::of).toList(),
          page.isEmpty() ? after : page.get(page.size() - 1).position());
    }
  }

  @GET
  @Operation(
      operationId = "listEvents",
      summary = "List the events of all pools",
      description =
          "The order never changes, and keeps that of each pool. Pass on the after of each page to"
              + " get the next one.")
  @APIResponse(
      responseCode = "200",
      description = "A page, empty at the end",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = EventPage.class)))
  public Response list(
      @Parameter(schema = @Schema(type = SchemaType.INTEGER, format = "int64", minimum = "0"))
          @RestQuery
          @DefaultValue("0")
          String after,
      @RestQuery @DefaultValue(Pages.SIZE_DEFAULT) String limit) {
    long from = Pages.number(after);
    return JsonAnswers.ok(EventPage.of(events.page(from, Pages.size(limit)), from));
  }
}

package dev.seatfast.operators;

import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.engine.PoolKey;
import dev.seatfast.engine.SeatPools;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.JsonBodies;
import dev.seatfast.http.Pages;
import dev.seatfast.workshops.WorkshopName;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;

/** What operators do with a workshop: set its capacity, read its attempts. */
@Path("/api/workshops/{workshop}")
@OperatorOnly
@Blocking
public class WorkshopAdministrationResource {

  private final SeatPools pools;
  private final Attempts attempts;

  WorkshopAdministrationResource(SeatPools pools, Attempts attempts) {
    this.pools = pools;
    this.attempts = attempts;
  }

  /** A workshop's seats. */
  @RegisterForReflection
  public record Capacity(String workshop, int capacity) {}

  /** One attempt. */
  @RegisterForReflection
  public record AttemptView(String requestId, int seats, String state, Instant decidedAt) {

    static AttemptView of(Attempt attempt) {
      return new AttemptView(attempt.requestId, attempt.seats, attempt.state, attempt.decidedAt);
    }
  }

  /** Some attempts, and what to pass as {@code after} for those that follow; null at the end. */
  @RegisterForReflection
  public record Page(List<AttemptView> attempts, String after) {}

  @PUT
  @Path("/capacity")
  @Operation(
      summary = "Set a workshop's seats",
      description = "Decisions that were made stay. It can't go below the seats that are taken.")
  @APIResponse(responseCode = "200", description = "Set")
  @APIResponse(responseCode = "409", description = "More seats are taken than that")
  public Capacity setCapacity(@RestPath String workshop, RoutingContext context) {
    PoolKey pool = pool(workshop);
    JsonNode capacity = JsonBodies.of(context).path("capacity");
    if (!capacity.isInt()
        || capacity.intValue() < 0
        || capacity.intValue() > SeatPools.CAPACITY_MAX) {
      throw new ApiException(ApiError.INVALID_CAPACITY);
    }
    if (!pools.setCapacity(pool, capacity.intValue())) {
      throw new ApiException(ApiError.CAPACITY_BELOW_RESERVED);
    }
    return new Capacity(workshop, capacity.intValue());
  }

  @GET
  @Path("/attempts")
  @Operation(summary = "Read a workshop's attempts, by request id")
  public Page attempts(
      @RestPath String workshop,
      @RestQuery @DefaultValue("") String after,
      @RestQuery @DefaultValue("100") String limit) {
    int size = Pages.size(limit);
    Cursor cursor = Cursor.parse(after);
    List<Attempt> page =
        attempts.page(pool(workshop), cursor.requestId(), cursor.generation(), size);
    return new Page(
        page.stream().map(AttemptView::of).toList(),
        page.size() == size ? Cursor.behind(page.get(size - 1)).text() : null);
  }

  /** Where a page ended. */
  private record Cursor(int generation, String requestId) {

    static Cursor behind(Attempt last) {
      return new Cursor(last.generation, last.requestId);
    }

    static Cursor parse(String text) {
      if (text.isEmpty()) {
        return new Cursor(0, "");
      }
      String[] parts = text.split("\\.", 2);
      if (parts.length < 2) {
        throw new ApiException(ApiError.INVALID_PAGE);
      }
      Pages.checkText(parts[1]);
      return new Cursor((int) Math.min(Pages.number(parts[0]), Integer.MAX_VALUE), parts[1]);
    }

    String text() {
      return generation + "." + requestId;
    }
  }

  private static PoolKey pool(String workshop) {
    if (!WorkshopName.isValid(workshop)) {
      throw new ApiException(ApiError.INVALID_WORKSHOP_NAME);
    }
    return PoolKey.ofWorkshop(workshop);
  }
}

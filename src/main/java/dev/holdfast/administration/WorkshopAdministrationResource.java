package dev.holdfast.administration;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.engine.PoolKey;
import dev.holdfast.engine.SeatPools;
import dev.holdfast.platform.ApiError;
import dev.holdfast.platform.ApiException;
import dev.holdfast.platform.JsonBodies;
import dev.holdfast.platform.Pages;
import dev.holdfast.workshops.WorkshopName;
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
  public record AttemptView(String requestId, int seats, String state, Instant decidedAt) {}

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
    Pages.checkText(after);
    List<AttemptView> page =
        attempts.page(pool(workshop), after, Pages.size(limit)).stream()
            .map(a -> new AttemptView(a.requestId, a.seats, a.state, a.decidedAt))
            .toList();
    boolean more = page.size() == Pages.size(limit);
    return new Page(page, more ? page.get(page.size() - 1).requestId() : null);
  }

  private static PoolKey pool(String workshop) {
    if (!WorkshopName.isValid(workshop)) {
      throw new ApiException(ApiError.INVALID_WORKSHOP_NAME);
    }
    return PoolKey.ofWorkshop(workshop);
  }
}

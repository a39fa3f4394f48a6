package dev.seatfast.operators;

import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.access.Audit;
import dev.seatfast.access.Caller;
import dev.seatfast.engine.PoolKey;
import dev.seatfast.engine.SeatPools;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.JsonAnswers;
import dev.seatfast.http.JsonBodies;
import dev.seatfast.http.Limits;
import dev.seatfast.workshops.WorkshopName;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Sets the seats of workshops, and records who did. */
@Singleton
class Capacities {

  private final SeatPools pools;
  private final Audit audit;

  Capacities(SeatPools pools, Audit audit) {
    this.pools = pools;
    this.audit = audit;
  }

  /** The seats that a workshop shall have. */
  record CapacityRequest(@Schema(minimum = "0", maximum = "" + Limits.CAPACITY_MAX) int capacity) {

    /**
     * Reads it from a body.
     *
     * @throws ApiException {@link ApiError#INVALID_CAPACITY} if the field is missing or wrong
     */
    static CapacityRequest of(JsonNode body) {
      JsonNode capacity = body.path("capacity");
      if (!capacity.isInt()
          || capacity.intValue() < 0
          || capacity.intValue() > Limits.CAPACITY_MAX) {
        throw new ApiException(ApiError.INVALID_CAPACITY);
      }
      return new CapacityRequest(capacity.intValue());
    }
  }

  /** The seats that a workshop has. */
  @RegisterForReflection
  record Capacity(String workshop, int capacity) {}

  /**
   * Sets the capacity that the body of a request names.
   *
   * @throws ApiException {@link ApiError#INVALID_CAPACITY} or {@link
   *     ApiError#CAPACITY_BELOW_RESERVED}
   */
  Response set(WorkshopName name, PoolKey pool, RoutingContext context) {
    int capacity = CapacityRequest.of(JsonBodies.of(context)).capacity();
    Caller caller = Caller.of(context);
    SeatPools.CapacityChange change =
        pools.setCapacity(
            pool,
            capacity,
            (session, made) ->
                audit.record(
                    session,
                    caller,
                    Audit.Action.CAPACITY_SET,
                    pool.value(),
                    Objects.toString(made.before(), null),
                    Integer.toString(capacity)));
    if (!change.changed()) {
      throw new ApiException(ApiError.CAPACITY_BELOW_RESERVED);
    }
    return JsonAnswers.ok(new Capacity(name.value(), capacity));
  }
}

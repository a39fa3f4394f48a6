package dev.seatfast.operators;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.access.Audit;
import dev.seatfast.access.Caller;
import dev.seatfast.engine.Opening;
import dev.seatfast.engine.PoolKey;
import dev.seatfast.engine.PoolOpenings;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.JsonAnswers;
import dev.seatfast.http.JsonBodies;
import dev.seatfast.http.Times;
import dev.seatfast.workshops.WorkshopName;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Reads and sets when seats of workshops may be taken, and records who did. */
@Singleton
class Openings {

  private final PoolOpenings pools;
  private final Audit audit;

  Openings(PoolOpenings pools, Audit audit) {
    this.pools = pools;
    this.audit = audit;
  }

  /**
   * When seats of a workshop shall be taken. What is left out is not kept: it is as if there had
   * never been one.
   *
   * @param opensAt from when on; left out if there shall be no such time
   * @param closesAt before when; left out if there shall be no such time
   * @param paused whether seats can't be taken until this is false again; left out for false
   */
  record OpeningRequest(
      @Schema(nullable = true) Instant opensAt,
      @Schema(nullable = true) Instant closesAt,
      @Schema(nullable = true) Boolean paused) {

    /**
     * Reads it from a body.
     *
     * @throws ApiException {@link ApiError#INVALID_OPENING} if a field is wrong
     */
    static Opening of(JsonNode body) {
      JsonNode paused = body.path("paused");
      if (!body.isObject() || !(isAbsent(paused) || paused.isBoolean())) {
        throw new ApiException(ApiError.INVALID_OPENING);
      }
      try {
        return new Opening(time(body, "opensAt"), time(body, "closesAt"), paused.booleanValue());
      } catch (IllegalArgumentException e) {
        throw new ApiException(ApiError.INVALID_OPENING);
      }
    }

    private static Instant time(JsonNode body, String field) {
      JsonNode value = body.path(field);
      return isAbsent(value) ? null : Times.instant(value.textValue(), ApiError.INVALID_OPENING);
    }

    private static boolean isAbsent(JsonNode value) {
      return value.isMissingNode() || value.isNull();
    }
  }

  /**
   * When seats of a workshop may be taken.
   *
   * @param opensAt from when on; left out if there is no such time
   * @param closesAt before when; left out if there is no such time
   * @param paused whether seats can't be taken now
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record WorkshopOpening(
      String workshop,
      @Schema(nullable = true) Instant opensAt,
      @Schema(nullable = true) Instant closesAt,
      boolean paused) {

    static WorkshopOpening of(WorkshopName name, Opening opening) {
      return new WorkshopOpening(
          name.value(), opening.opensAt(), opening.closesAt(), opening.paused());
    }
  }

  Response read(WorkshopName name, PoolKey pool) {
    return JsonAnswers.ok(WorkshopOpening.of(name, pools.read(pool)));
  }

  /**
   * Sets what the body of a request says.
   *
   * @throws ApiException {@link ApiError#INVALID_OPENING}
   */
  Response set(WorkshopName name, PoolKey pool, RoutingContext context) {
    Opening opening = OpeningRequest.of(JsonBodies.of(context));
    Caller caller = Caller.of(context);
    pools.set(
        pool,
        opening,
        (session, before) ->
            audit.record(
                session,
                caller,
                Audit.Action.OPENING_SET,
                pool.value(),
                text(before),
                text(opening)));
    return JsonAnswers.ok(WorkshopOpening.of(name, opening));
  }

  /** An ISO 8601 interval whose open ends are "..", and whether it is paused. */
  private static String text(Opening opening) {
    return end(opening.opensAt())
        + "/"
        + end(opening.closesAt())
        + (opening.paused() ? " paused" : "");
  }

  private static String end(Instant time) {
    return time == null ? ".." : time.toString();
  }
}

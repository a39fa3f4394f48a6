package dev.seatfast.workshops;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.seatfast.engine.Availabilities;
import dev.seatfast.engine.Availability;
import dev.seatfast.engine.PoolKey;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.JsonAnswers;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Answers what workshops have left, whether or not they belong to a tenant. */
@Singleton
class AvailabilityAnswers {

  static final String DESCRIPTION =
      "All of it is from one instant, and changes nothing. Send the ETag of the last answer as"
          + " If-None-Match to get 304 while nothing is different.";

  /** As long as the longest list of the longest names. */
  private static final int LIST_LENGTH_MAX = Availabilities.POOLS_MAX * 33;

  private static final int TAG_BYTES = 18;

  private final Availabilities availabilities;

  AvailabilityAnswers(Availabilities availabilities) {
    this.availabilities = availabilities;
  }

  /**
   * What a request for seats of a workshop would find.
   *
   * @param capacity the workshop's seats
   * @param free the seats that nobody holds or has
   * @param available the seats that can be taken now: those that are free, or 0 unless booking is
   *     open
   * @param booking {@code open}, or why seats can't be taken now
   * @param opensAt from when on seats may be taken; left out if there is no such time
   * @param closesAt before when seats may be taken; left out if there is no such time
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record WorkshopAvailability(
      String workshop,
      int capacity,
      int free,
      int available,
      @Schema(enumeration = {"open", "not_open", "closed", "paused"}) String booking,
      @Schema(nullable = true) Instant opensAt,
      @Schema(nullable = true) Instant closesAt) {

    static WorkshopAvailability of(WorkshopName name, Availability found) {
      return new WorkshopAvailability(
          name.value(),
          found.capacity(),
          found.free(),
          found.shut().isPresent() ? 0 : found.free(),
          found.shut().map(Reservations::error).map(ApiError::code).orElse("open"),
          found.opening().opensAt(),
          found.opening().closesAt());
    }
  }

  /** Several workshops, in the order in which they were asked for. */
  @RegisterForReflection
  record AvailabilityList(List<WorkshopAvailability> workshops) {}

  /**
   * Answers for the workshops that a query names.
   *
   * @param workshops their names with commas between them, null if there are none
   * @param pool finds the pool of a workshop
   * @param request whose If-None-Match is compared
   * @throws ApiException {@link ApiError#INVALID_WORKSHOPS} or {@link
   *     ApiError#INVALID_WORKSHOP_NAME}
   */
  CompletionStage<Response> read(
      String workshops, Function<WorkshopName, PoolKey> pool, Request request) {
    List<WorkshopName> names = names(workshops);
    return availabilities
        .read(names.stream().map(pool).toList())
        .thenApply(found -> answer(names, found, request));
  }

  private static List<WorkshopName> names(String workshops) {
    if (workshops == null || workshops.isEmpty() || workshops.length() > LIST_LENGTH_MAX) {
      throw new ApiException(ApiError.INVALID_WORKSHOPS);
    }
    List<WorkshopName> names =
        Stream.of(workshops.split(",", -1)).distinct().map(WorkshopName::of).toList();
    if (names.size() > Availabilities.POOLS_MAX) {
      throw new ApiException(ApiError.INVALID_WORKSHOPS);
    }
    return names;
  }

  private static Response answer(
      List<WorkshopName> names, List<Availability> found, Request request) {
    List<WorkshopAvailability> all = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      all.add(WorkshopAvailability.of(names.get(i), found.get(i)));
    }
    EntityTag tag = tag(all);
    Response.ResponseBuilder unchanged = request.evaluatePreconditions(tag);
    return unchanged != null
        ? unchanged.tag(tag).build()
        : JsonAnswers.of(Response.Status.OK, new AvailabilityList(all)).tag(tag).build();
  }

  /** The same on every instance for the same answer. */
  private static EntityTag tag(List<WorkshopAvailability> all) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(all.toString().getBytes(StandardCharsets.UTF_8));
      return new EntityTag(Base64.getUrlEncoder().encodeToString(Arrays.copyOf(hash, TAG_BYTES)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JVM has SHA-256", e);
    }
  }
}

package dev.seatfast.holds;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.seatfast.engine.Hold;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.util.UUID;

/** A hold, as its owner sees it; times in milliseconds since 1970. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HoldView(
    UUID reservationId, String state, int seats, long heldAt, long expiresAt, Long settledAt) {

  public static HoldView of(Hold hold) {
    return new HoldView(
        hold.reservationId(),
        hold.state(),
        hold.seats(),
        hold.heldAt().toEpochMilli(),
        hold.expiresAt().toEpochMilli(),
        millis(hold.settledAt()));
  }

  private static Long millis(Instant time) {
    return time == null ? null : time.toEpochMilli();
  }
}

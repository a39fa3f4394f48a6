package dev.seatfast.holds;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.seatfast.engine.Hold;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A hold, as its owner sees it. Times are in milliseconds since 1970.
 *
 * @param heldAt when it was made
 * @param expiresAt when it ends, or would have ended
 * @param settledAt when it was confirmed or cancelled, or found to have expired; else null
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HoldView(
    UUID reservationId,
    @Schema(enumeration = {"HELD", "CONFIRMED", "CANCELLED", "EXPIRED"}) String state,
    int seats,
    long heldAt,
    long expiresAt,
    @Schema(nullable = true) Long settledAt) {

  static HoldView of(Hold hold) {
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

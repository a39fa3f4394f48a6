package dev.seatfast.engine;

import java.time.Instant;
import java.util.UUID;

/**
 * A hold as it is at one instant.
 *
 * @param state HELD, CONFIRMED, CANCELLED or EXPIRED; a hold past its time is EXPIRED whether or
 *     not a sweep has come by
 * @param heldAt when it was made
 * @param expiresAt when it ends, or would have ended
 * @param settledAt when it was confirmed or cancelled, or found to have expired; else null
 */
public record Hold(
    UUID reservationId,
    String owner,
    int seats,
    String state,
    Instant heldAt,
    Instant expiresAt,
    Instant settledAt) {

  /** False while a confirmation of its last instant may still be committing. */
  boolean isFinal() {
    return !state.equals("EXPIRED") || settledAt != null;
  }
}

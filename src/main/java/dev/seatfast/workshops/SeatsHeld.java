package dev.seatfast.workshops;

import dev.seatfast.engine.HoldAnswer;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.UUID;

/**
 * Seats of a workshop are held.
 *
 * @param seats of the first request with this id
 * @param expiresAt the end of the hold unless it is confirmed before, in milliseconds since 1970
 */
@RegisterForReflection
record SeatsHeld(boolean ok, UUID reservationId, int seats, long expiresAt) {

  static SeatsHeld of(HoldAnswer.Held held) {
    return new SeatsHeld(true, held.reservationId(), held.seats(), held.expiresAt().toEpochMilli());
  }
}

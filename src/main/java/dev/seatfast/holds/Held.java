package dev.seatfast.holds;

import dev.seatfast.engine.HoldAnswer;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.UUID;

/**
 * One slot, or several together, are held.
 *
 * @param expiresAt the end of the hold unless it is confirmed before, in milliseconds since 1970
 */
@RegisterForReflection
public record Held(boolean ok, UUID reservationId, long expiresAt) {

  public static Held of(HoldAnswer.Held held) {
    return new Held(true, held.reservationId(), held.expiresAt().toEpochMilli());
  }
}

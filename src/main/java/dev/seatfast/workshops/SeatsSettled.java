package dev.seatfast.workshops;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.seatfast.engine.Settlement;
import dev.seatfast.holds.Settled;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A hold of seats of a workshop was confirmed, cancelled or extended.
 *
 * @param seats that the hold is about
 * @param expiresAt the end of an extended hold, in milliseconds since 1970; else null
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
record SeatsSettled(
    boolean ok, UUID reservationId, int seats, @Schema(nullable = true) Long expiresAt) {

  static SeatsSettled of(UUID reservationId, Settlement.Action action, Settlement settlement) {
    return new SeatsSettled(
        true, reservationId, settlement.seats(), Settled.newEnd(action, settlement));
  }
}

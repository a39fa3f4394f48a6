package dev.seatfast.holds;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.seatfast.engine.Settlement;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A hold was confirmed, cancelled or extended.
 *
 * @param expiresAt the end of an extended hold, in milliseconds since 1970; else null
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Settled(boolean ok, UUID reservationId, @Schema(nullable = true) Long expiresAt) {

  static Settled of(UUID reservationId, Settlement.Action action, Settlement settlement) {
    return new Settled(true, reservationId, newEnd(action, settlement));
  }

  /** Returns the end of the hold in milliseconds since 1970 if the action moved it, else null. */
  public static Long newEnd(Settlement.Action action, Settlement settlement) {
    return action == Settlement.Action.EXTEND ? settlement.expiresAt().toEpochMilli() : null;
  }
}

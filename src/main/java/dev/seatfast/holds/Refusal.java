package dev.seatfast.holds;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.seatfast.engine.Settlement;
import dev.seatfast.engine.Shut;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Nothing was held or changed.
 *
 * @param opensAt of seats that can't be taken now: from when on they can; null if there is no such
 *     time
 * @param closesAt of seats that can't be taken now: until when they can; null likewise
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema
public record Refusal(
    boolean ok,
    Reason reason,
    @Schema(nullable = true) Instant opensAt,
    @Schema(nullable = true) Instant closesAt) {

  static Refusal because(Reason reason) {
    return new Refusal(false, reason, null, null);
  }

  static Refusal because(Shut shut) {
    return new Refusal(
        false, Reason.valueOf(shut.reason().name()), shut.opensAt(), shut.closesAt());
  }

  /** The reason of a refusal. It never tells which user has the seats. */
  public enum Reason {
    ALREADY_HELD_OR_BOOKED,
    NOT_OPEN,
    CLOSED,
    PAUSED,
    NOT_FOUND,
    NOT_OWNER,
    PART_OF_GROUP,
    EXPIRED,
    CANCELLED,
    CONFIRMED,
    TOO_LONG;

    /**
     * @param outcome anything but {@link Settlement.Outcome#DONE}
     */
    static Reason of(Settlement.Outcome outcome) {
      return valueOf(outcome.name());
    }
  }
}

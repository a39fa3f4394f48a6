package dev.seatfast.holds;

import dev.seatfast.engine.Settlement;
import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Nothing was held or changed. */
@RegisterForReflection
@Schema
public record Refusal(boolean ok, Reason reason) {

  /** The reason of a refusal. It never tells which user has the seats. */
  public enum Reason {
    ALREADY_HELD_OR_BOOKED,
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

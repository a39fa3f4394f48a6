package dev.seatfast.slots;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.seatfast.engine.Slot;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A slot, as anybody may see it.
 *
 * @param heldUntil the end of the hold if it is held, in milliseconds since 1970; else null
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
record SlotView(
    Instant slotStartIso,
    @Schema(enumeration = {"FREE", "HELD", "CONFIRMED"}) String state,
    @Schema(nullable = true) Long heldUntil) {

  static SlotView of(Slot slot) {
    return new SlotView(
        slot.start(),
        slot.state().name(),
        slot.heldUntil() == null ? null : slot.heldUntil().toEpochMilli());
  }
}

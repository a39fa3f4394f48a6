package dev.seatfast.slots;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.seatfast.engine.Slot;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Some slots of a resource, by their start.
 *
 * @param next the {@code from} of the next page; null on the last one
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
record SlotPage(List<SlotView> slots, @Schema(nullable = true) Instant next) {

  /**
   * @param found the slots of the page, and one more if there is a next page
   */
  static SlotPage of(List<Slot> found, int size) {
    return new SlotPage(
        found.stream().limit(size).map(SlotView::of).toList(),
        found.size() > size ? found.get(size).start() : null);
  }
}

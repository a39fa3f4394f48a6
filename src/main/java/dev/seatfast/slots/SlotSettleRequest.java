package dev.seatfast.slots;

import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.Texts;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Names a slot and the owner of a hold on it.
 *
 * @param userId the user who made the hold
 */
record SlotSettleRequest(
    @Schema(ref = "Text") String tenantId,
    @Schema(ref = "Text") String resourceId,
    Instant slotStartIso,
    @Schema(ref = "Text") String userId) {

  /**
   * Reads it from a body.
   *
   * @throws ApiException that names the first field that is missing or wrong
   */
  static SlotSettleRequest of(JsonNode body) {
    SlotKey slot = SlotKey.of(body);
    return new SlotSettleRequest(
        slot.tenantId(),
        slot.resourceId(),
        slot.start(),
        Texts.field(body, "userId", ApiError.INVALID_USER_ID));
  }

  SlotKey slot() {
    return new SlotKey(tenantId, resourceId, slotStartIso);
  }
}

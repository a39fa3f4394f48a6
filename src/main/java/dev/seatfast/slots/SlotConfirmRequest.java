package dev.seatfast.slots;

import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.Texts;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Confirms the hold of a slot, in the fixed contract.
 *
 * @param reservationId as the hold was answered
 * @param userId the user who made the hold
 */
record SlotConfirmRequest(
    @Schema(ref = "Text") String tenantId,
    @Schema(ref = "Text") String resourceId,
    Instant slotStartIso,
    @Schema(ref = "Text") String reservationId,
    @Schema(ref = "Text") String userId) {

  /**
   * Reads it from a body.
   *
   * @throws ApiException that names the first field that is missing or wrong
   */
  static SlotConfirmRequest of(JsonNode body) {
    SlotKey slot = SlotKey.of(body);
    return new SlotConfirmRequest(
        slot.tenantId(),
        slot.resourceId(),
        slot.start(),
        Texts.field(body, "reservationId", ApiError.INVALID_RESERVATION_ID),
        Texts.field(body, "userId", ApiError.INVALID_USER_ID));
  }

  SlotKey slot() {
    return new SlotKey(tenantId, resourceId, slotStartIso);
  }
}

package dev.seatfast.slots;

import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.engine.HoldRequest;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.Texts;
import java.time.Instant;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Asks for a slot for a while.
 *
 * @param userId the user who may confirm, cancel or extend the hold
 * @param idempotencyKey the user's own name for this request
 */
record SlotHoldRequest(
    @Schema(ref = "Text") String tenantId,
    @Schema(ref = "Text") String resourceId,
    Instant slotStartIso,
    @Schema(ref = "Text") String userId,
    @Schema(ref = "Text") String idempotencyKey) {

  private static final int SEATS = 1;

  /**
   * Reads it from a body.
   *
   * @throws ApiException that names the first field that is missing or wrong
   */
  static SlotHoldRequest of(JsonNode body) {
    SlotKey slot = SlotKey.of(body);
    return new SlotHoldRequest(
        slot.tenantId(),
        slot.resourceId(),
        slot.start(),
        Texts.field(body, "userId", ApiError.INVALID_USER_ID),
        Texts.field(body, "idempotencyKey", ApiError.INVALID_IDEMPOTENCY_KEY));
  }

  SlotKey slot() {
    return new SlotKey(tenantId, resourceId, slotStartIso);
  }

  /**
   * @param reservationId the id that a new hold gets
   */
  HoldRequest forEngine(UUID reservationId) {
    return new HoldRequest(idempotencyKey, userId, SEATS, reservationId);
  }
}

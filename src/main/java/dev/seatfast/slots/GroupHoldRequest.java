package dev.seatfast.slots;

import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.engine.HoldRequest;
import dev.seatfast.engine.PoolKey;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.Limits;
import dev.seatfast.http.Texts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Asks for several slots of one tenant for a while, all or none.
 *
 * @param slots 1 to {@value Limits#SLOTS_MAX} different ones
 * @param userId the user who may confirm, cancel or extend the hold
 * @param idempotencyKey the user's own name for this request
 */
record GroupHoldRequest(
    @Schema(ref = "Text") String tenantId,
    @Schema(minItems = 1, maxItems = Limits.SLOTS_MAX, uniqueItems = true) List<GroupSlot> slots,
    @Schema(ref = "Text") String userId,
    @Schema(ref = "Text") String idempotencyKey) {

  private static final int SEATS_OF_EACH = 1;

  /** One slot of the group's tenant. */
  record GroupSlot(@Schema(ref = "Text") String resourceId, Instant slotStartIso) {

    private static GroupSlot of(JsonNode slot) {
      return new GroupSlot(
          Texts.field(slot, "resourceId", ApiError.INVALID_RESOURCE_ID), SlotKey.start(slot));
    }
  }

  /**
   * Reads it from a body.
   *
   * @throws ApiException that names the first field that is missing or wrong; {@link
   *     ApiError#INVALID_SLOTS} if there are no slots, too many, or the same one twice
   */
  static GroupHoldRequest of(JsonNode body) {
    return new GroupHoldRequest(
        Texts.field(body, "tenantId", ApiError.INVALID_TENANT_ID),
        slots(body.path("slots")),
        Texts.field(body, "userId", ApiError.INVALID_USER_ID),
        Texts.field(body, "idempotencyKey", ApiError.INVALID_IDEMPOTENCY_KEY));
  }

  private static List<GroupSlot> slots(JsonNode array) {
    if (!array.isArray() || array.isEmpty() || array.size() > Limits.SLOTS_MAX) {
      throw new ApiException(ApiError.INVALID_SLOTS);
    }
    List<GroupSlot> slots = new ArrayList<>();
    array.forEach(slot -> slots.add(GroupSlot.of(slot)));
    if (new HashSet<>(slots).size() < slots.size()) {
      throw new ApiException(ApiError.INVALID_SLOTS);
    }
    return slots;
  }

  List<PoolKey> pools() {
    return slots.stream()
        .map(slot -> new SlotKey(tenantId, slot.resourceId(), slot.slotStartIso()).pool())
        .toList();
  }

  /**
   * @param groupId the id that a new group gets
   */
  HoldRequest forEngine(UUID groupId) {
    return new HoldRequest(idempotencyKey, userId, SEATS_OF_EACH, groupId);
  }
}

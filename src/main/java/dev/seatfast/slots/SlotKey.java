package dev.seatfast.slots;

import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.engine.PoolKey;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.Texts;
import dev.seatfast.http.Times;
import java.time.Instant;

/**
 * Names one slot.
 *
 * @param start in the years 0000 to 9999 of UTC, in whole milliseconds
 */
record SlotKey(String tenantId, String resourceId, Instant start) {

  /**
   * Reads {@code tenantId}, {@code resourceId} and {@code slotStartIso} from a body.
   *
   * @throws ApiException that names the first of them that is missing or wrong
   */
  static SlotKey of(JsonNode body) {
    return new SlotKey(
        Texts.field(body, "tenantId", ApiError.INVALID_TENANT_ID),
        Texts.field(body, "resourceId", ApiError.INVALID_RESOURCE_ID),
        start(body));
  }

  /** Reads {@code slotStartIso}. */
  static Instant start(JsonNode body) {
    return Times.instant(body.path("slotStartIso").textValue(), ApiError.INVALID_SLOT_START);
  }

  /**
   * Reads query parameters.
   *
   * @param tenantId null if the parameter is missing, like the others
   * @throws ApiException that names the first of them that is missing or wrong
   */
  static SlotKey of(String tenantId, String resourceId, String slotStartIso) {
    return new SlotKey(
        Texts.check(tenantId, ApiError.INVALID_TENANT_ID),
        Texts.check(resourceId, ApiError.INVALID_RESOURCE_ID),
        Times.instant(slotStartIso, ApiError.INVALID_SLOT_START));
  }

  PoolKey pool() {
    return PoolKey.ofSlot(tenantId, resourceId, start);
  }
}

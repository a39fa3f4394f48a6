package dev.seatfast.slots;

import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.Texts;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Names the tenant and the owner of a group of held slots.
 *
 * @param userId the user who made the hold
 */
record GroupSettleRequest(
    @Schema(ref = "Text") String tenantId, @Schema(ref = "Text") String userId) {

  /**
   * Reads it from a body.
   *
   * @throws ApiException that names the first field that is missing or wrong
   */
  static GroupSettleRequest of(JsonNode body) {
    return new GroupSettleRequest(
        Texts.field(body, "tenantId", ApiError.INVALID_TENANT_ID),
        Texts.field(body, "userId", ApiError.INVALID_USER_ID));
  }
}

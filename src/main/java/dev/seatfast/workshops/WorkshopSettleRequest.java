package dev.seatfast.workshops;

import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.Texts;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Names the owner of a hold on seats of a workshop.
 *
 * @param userId the user who made the hold
 */
record WorkshopSettleRequest(@Schema(ref = "Text") String userId) {

  /**
   * Reads it from a body.
   *
   * @throws ApiException {@link ApiError#INVALID_USER_ID} if the field is missing or wrong
   */
  static WorkshopSettleRequest of(JsonNode body) {
    return new WorkshopSettleRequest(Texts.field(body, "userId", ApiError.INVALID_USER_ID));
  }
}

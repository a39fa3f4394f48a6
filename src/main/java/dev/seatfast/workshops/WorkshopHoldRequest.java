package dev.seatfast.workshops;

import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.engine.HoldRequest;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.Limits;
import dev.seatfast.http.Texts;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Asks for seats of a workshop for a while.
 *
 * @param requestId the client's own name for this request
 * @param seats 1 to {@value Limits#SEATS_MAX}
 * @param userId the user who may confirm, cancel or extend the hold
 */
record WorkshopHoldRequest(
    @Schema(pattern = "^" + Limits.REQUEST_ID + "$") String requestId,
    @Schema(minimum = "1", maximum = "" + Limits.SEATS_MAX) int seats,
    @Schema(ref = "Text") String userId) {

  /**
   * Reads it from a body.
   *
   * @throws ApiException that names the first field that is missing or wrong
   */
  static WorkshopHoldRequest of(JsonNode body) {
    ReservationRequest seats = ReservationRequest.of(body);
    return new WorkshopHoldRequest(
        seats.requestId(), seats.seats(), Texts.field(body, "userId", ApiError.INVALID_USER_ID));
  }

  /**
   * @param reservationId the id that a new hold gets
   */
  HoldRequest forEngine(UUID reservationId) {
    return new HoldRequest(requestId, userId, seats, reservationId);
  }
}

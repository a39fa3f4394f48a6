package dev.seatfast.workshops;

import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.engine.SeatRequest;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.Limits;
import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Asks for seats of a workshop.
 *
 * @param requestId the client's own name for this request
 * @param seats 1 to {@value Limits#SEATS_MAX}
 */
record ReservationRequest(
    @Schema(pattern = "^" + Limits.REQUEST_ID + "$") String requestId,
    @Schema(minimum = "1", maximum = "" + Limits.SEATS_MAX) int seats) {

  private static final Pattern REQUEST_ID = Pattern.compile(Limits.REQUEST_ID);
  private static final BigDecimal SEATS_MAX = BigDecimal.valueOf(Limits.SEATS_MAX);

  /**
   * Reads it from a body. Types are not converted, unknown fields are ignored.
   *
   * @throws ApiException {@link ApiError#INVALID_RESERVATION} if a field is missing or wrong
   */
  static ReservationRequest of(JsonNode body) {
    JsonNode requestId = body.path("requestId");
    JsonNode seats = body.path("seats");
    if (!requestId.isTextual()
        || !REQUEST_ID.matcher(requestId.textValue()).matches()
        || !isSeats(seats)) {
      throw new ApiException(ApiError.INVALID_RESERVATION);
    }
    return new ReservationRequest(requestId.textValue(), seats.decimalValue().intValueExact());
  }

  private static boolean isSeats(JsonNode seats) {
    if (!seats.isNumber()) {
      return false;
    }
    // The range comes first: writing 1e999999999 out would take all memory.
    BigDecimal number = seats.decimalValue();
    return number.compareTo(BigDecimal.ONE) >= 0
        && number.compareTo(SEATS_MAX) <= 0
        && number.stripTrailingZeros().scale() <= 0;
  }

  SeatRequest forEngine() {
    return new SeatRequest(requestId, seats);
  }
}

package dev.seatfast.workshops;

import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.engine.SeatRequest;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import java.math.BigDecimal;
import java.util.regex.Pattern;

/** Reads a reservation from a body: types are not converted, unknown fields are ignored. */
final class ReservationBody {

  private static final Pattern REQUEST_ID = Pattern.compile("[a-z][a-z0-9-]{2,47}");
  private static final BigDecimal SEATS_MAX = BigDecimal.valueOf(SeatRequest.SEATS_MAX);

  private ReservationBody() {}

  /**
   * @throws ApiException {@link ApiError#INVALID_RESERVATION} if a field is missing or wrong
   */
  static SeatRequest parse(JsonNode body) {
    JsonNode requestId = body.path("requestId");
    JsonNode seats = body.path("seats");
    if (!body.isObject()
        || !requestId.isTextual()
        || !REQUEST_ID.matcher(requestId.textValue()).matches()
        || !isSeats(seats)) {
      throw new ApiException(ApiError.INVALID_RESERVATION);
    }
    return new SeatRequest(requestId.textValue(), seats.decimalValue().intValueExact());
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
}

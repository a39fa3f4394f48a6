package dev.seatfast.slots;

import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.engine.PoolKey;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.Texts;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/**
 * Names one slot.
 *
 * @param start in the years 0000 to 9999 of UTC, in whole milliseconds
 */
record SlotKey(String tenantId, String resourceId, Instant start) {

  /** RFC 3339, but the seconds are optional. */
  private static final Pattern DATE_TIME =
      Pattern.compile(
          "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})",
          Pattern.CASE_INSENSITIVE);

  private static final int YEAR_MAX = 9999;

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
    return instant(body.path("slotStartIso").textValue(), ApiError.INVALID_SLOT_START);
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
        instant(slotStartIso, ApiError.INVALID_SLOT_START));
  }

  /**
   * Reads a date and time with an offset from UTC, and cuts it to milliseconds.
   *
   * @param text null if there is none
   * @throws ApiException with the given error if it is anything else
   */
  static Instant instant(String text, ApiError otherwise) {
    if (text == null || !DATE_TIME.matcher(text).matches()) {
      throw new ApiException(otherwise);
    }
    try {
      Instant instant = OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.MILLIS);
      int year = instant.atOffset(ZoneOffset.UTC).getYear();
      if (year < 0 || year > YEAR_MAX) {
        throw new ApiException(otherwise);
      }
      return instant;
    } catch (DateTimeException e) {
      throw new ApiException(otherwise);
    }
  }

  PoolKey pool() {
    return PoolKey.ofSlot(tenantId, resourceId, start);
  }
}

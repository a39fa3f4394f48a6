package dev.seatfast.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/** Dates and times that clients write. */
public final class Times {

  /** RFC 3339, but the seconds are optional. */
  private static final Pattern DATE_TIME =
      Pattern.compile(
          "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})",
          Pattern.CASE_INSENSITIVE);

  private static final int YEAR_MAX = 9999;
  private static final String LEAP_SECOND = ":60";
  private static final int SECOND_INDEX = "2026-12-01T01:00".length();

  private Times() {}

  /**
   * Reads a date and time with an offset from UTC, and cuts it to milliseconds. It is in the years
   * 0000 to 9999 of UTC.
   *
   * @param text null if there is none
   * @throws ApiException with the given error if it is anything else
   */
  public static Instant instant(String text, ApiError otherwise) {
    if (text == null || !DATE_TIME.matcher(text).matches()) {
      throw new ApiException(otherwise);
    }
    try {
      Instant instant = parsed(text).truncatedTo(ChronoUnit.MILLIS);
      int year = instant.atOffset(ZoneOffset.UTC).getYear();
      if (year < 0 || year > YEAR_MAX) {
        throw new ApiException(otherwise);
      }
      return instant;
    } catch (DateTimeException e) {
      throw new ApiException(otherwise);
    }
  }

  /**
   * Takes a leap second, which RFC 3339 allows at the end of June and December in UTC, for the
   * second after it: Java's time has none, nor has PostgreSQL's.
   */
  private static Instant parsed(String text) {
    if (!text.startsWith(LEAP_SECOND, SECOND_INDEX)) {
      return OffsetDateTime.parse(text).toInstant();
    }
    String before =
        text.substring(0, SECOND_INDEX)
            + ":59"
            + text.substring(SECOND_INDEX + LEAP_SECOND.length());
    OffsetDateTime after =
        OffsetDateTime.parse(before).plusSeconds(1).withOffsetSameInstant(ZoneOffset.UTC);
    if (!after.truncatedTo(ChronoUnit.SECONDS).toLocalDateTime().equals(halfYear(after))) {
      throw new DateTimeException("No leap second can be there");
    }
    return after.toInstant();
  }

  /** The beginning of the half of a year that a time is in. */
  private static LocalDateTime halfYear(OffsetDateTime time) {
    Month first = time.getMonth().compareTo(Month.JULY) < 0 ? Month.JANUARY : Month.JULY;
    return LocalDate.of(time.getYear(), first, 1).atStartOfDay();
  }
}

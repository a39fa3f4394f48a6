package dev.seatfast.http;

import com.fasterxml.jackson.databind.JsonNode;

/** Text that clients choose. */
public final class Texts {

  private Texts() {}

  /**
   * Reads a string field of 1 to {@value Limits#TEXT_LENGTH_MAX} characters without control
   * characters.
   *
   * @throws ApiException with the given error if it is anything else, or not there
   */
  public static String field(JsonNode body, String name, ApiError otherwise) {
    return check(body.path(name).textValue(), otherwise);
  }

  /**
   * Checks a text of 1 to {@value Limits#TEXT_LENGTH_MAX} characters without control characters.
   *
   * @param text null if there is none
   * @throws ApiException with the given error if it is anything else
   */
  public static String check(String text, ApiError otherwise) {
    if (text == null
        || text.isEmpty()
        || text.codePointCount(0, text.length()) > Limits.TEXT_LENGTH_MAX
        || !isClean(text)) {
      throw new ApiException(otherwise);
    }
    return text;
  }

  /**
   * Whether a text has neither control characters nor halves of surrogate pairs, which UTF-8 has no
   * bytes for: two different texts would become the same in the database.
   */
  public static boolean isClean(String text) {
    return text.codePoints()
        .noneMatch(
            c ->
                Character.isISOControl(c)
                    || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
  }
}

package dev.seatfast.http;

/** Reads what a client says about the page it wants. */
public final class Pages {

  /** {@link Limits#PAGE_SIZE_DEFAULT}, as the annotations of a parameter take it. */
  public static final String SIZE_DEFAULT = "" + Limits.PAGE_SIZE_DEFAULT;

  /** No key, and no cursor that we make of keys, is longer. */
  private static final int CURSOR_LENGTH_MAX = 700;

  private Pages() {}

  /**
   * @throws ApiException {@link ApiError#INVALID_PAGE} unless it is a number from 1 to {@value
   *     Limits#PAGE_SIZE_MAX}
   */
  public static int size(String limit) {
    long size = number(limit);
    if (size < 1 || size > Limits.PAGE_SIZE_MAX) {
      throw new ApiException(ApiError.INVALID_PAGE);
    }
    return (int) size;
  }

  /**
   * @throws ApiException {@link ApiError#INVALID_PAGE} unless it is a number of 64 bits, not
   *     negative
   */
  public static long number(String text) {
    try {
      long number = Long.parseLong(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, like a number out of range.
    }
    throw new ApiException(ApiError.INVALID_PAGE);
  }

  /**
   * @throws ApiException {@link ApiError#INVALID_PAGE} unless it can be part of a key
   */
  public static void checkText(String after) {
    if (after.length() > CURSOR_LENGTH_MAX || !Texts.isClean(after)) {
      throw new ApiException(ApiError.INVALID_PAGE);
    }
  }
}

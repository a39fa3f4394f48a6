package dev.seatfast.operators;

import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.Pages;

/** The attempt that a page ended with, in the order of its key. */
record AttemptCursor(String requestId, String owner, int generation) {

  static AttemptCursor behind(Attempt last) {
    return new AttemptCursor(last.requestId, last.owner, last.generation);
  }

  /**
   * Reads what {@link #text} has written. An empty text is before the first attempt.
   *
   * @throws ApiException {@link ApiError#INVALID_PAGE}
   */
  static AttemptCursor parse(String text) {
    if (text.isEmpty()) {
      return new AttemptCursor("", "", 0);
    }
    String[] parts = text.split("\\.", 3);
    if (parts.length < 3) {
      throw new ApiException(ApiError.INVALID_PAGE);
    }
    int generation = (int) Math.min(Pages.number(parts[0]), Integer.MAX_VALUE);
    int ownerLength = (int) Math.min(Pages.number(parts[1]), Integer.MAX_VALUE);
    Pages.checkText(parts[2]);
    if (ownerLength > parts[2].length()) {
      throw new ApiException(ApiError.INVALID_PAGE);
    }
    return new AttemptCursor(
        parts[2].substring(ownerLength), parts[2].substring(0, ownerLength), generation);
  }

  /** The length tells where the owner ends, whatever characters it has. */
  String text() {
    return generation + "." + owner.length() + "." + owner + requestId;
  }
}

package dev.seatfast.operators;

import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.Pages;

/** The attempt that a page ended with, in the order of its key. */
record AttemptCursor(String requestId, int generation) {

  static AttemptCursor behind(Attempt last) {
    return new AttemptCursor(last.requestId, last.generation);
  }

  /**
   * Reads what {@link #text} has written. An empty text is before the first attempt.
   *
   * @throws ApiException {@link ApiError#INVALID_PAGE}
   */
  static AttemptCursor parse(String text) {
    if (text.isEmpty()) {
      return new AttemptCursor("", 0);
    }
    String[] parts = text.split("\\.", 2);
    if (parts.length < 2) {
      throw new ApiException(ApiError.INVALID_PAGE);
    }
    Pages.checkText(parts[1]);
    return new AttemptCursor(parts[1], (int) Math.min(Pages.number(parts[0]), Integer.MAX_VALUE));
  }

  String text() {
    return generation + "." + requestId;
  }
}

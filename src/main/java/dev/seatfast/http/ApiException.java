package dev.seatfast.http;

/** Ends a request with an error that its client gets to see. Nothing was changed. */
public final class ApiException extends RuntimeException {

  private final ApiError error;

  public ApiException(ApiError error) {
    super(error.code(), null, false, false); // an answer, not a fault: no stack trace
    this.error = error;
  }

  public ApiError error() {
    return error;
  }
}

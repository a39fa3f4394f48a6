package dev.seatfast.http;

import java.util.Map;

/** Ends a request with an error that its client gets to see. Nothing was changed. */
public final class ApiException extends RuntimeException {

  private final ApiError error;
  private final transient Map<String, ?> members;

  public ApiException(ApiError error) {
    this(error, Map.of());
  }

  /**
   * @param members what else the client needs to know, by the names of the fields
   */
  public ApiException(ApiError error, Map<String, ?> members) {
    super(error.code(), null, false, false); // an answer, not a fault: no stack trace
    this.error = error;
    this.members = members;
  }

  Map<String, ?> members() {
    return members;
  }

  public ApiError error() {
    return error;
  }
}

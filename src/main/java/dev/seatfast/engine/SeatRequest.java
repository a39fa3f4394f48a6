package dev.seatfast.engine;

import java.util.Objects;

/**
 * What a client asks of a pool.
 *
 * @param requestId the client's own name for this request, 1 to 128 characters: the same name is
 *     the same request, however often it arrives
 * @param seats 1 to {@value #SEATS_MAX}
 */
public record SeatRequest(String requestId, int seats) {

  /** The most seats that one request may ask for. */
  public static final int SEATS_MAX = 4;

  private static final int REQUEST_ID_LENGTH_MAX = 128;

  public SeatRequest {
    Objects.requireNonNull(requestId);
    int length = requestId.codePointCount(0, requestId.length());
    if (length < 1 || length > REQUEST_ID_LENGTH_MAX) {
      throw new IllegalArgumentException("A request id has 1 to 128 characters, not " + length);
    }
    if (seats < 1 || seats > SEATS_MAX) {
      throw new IllegalArgumentException("A request is for 1 to 4 seats, not " + seats);
    }
  }
}

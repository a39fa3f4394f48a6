package dev.seatfast.engine;

import java.util.Objects;
import java.util.UUID;

/**
 * What a client asks to have held.
 *
 * @param requestId the client's own name for this request in this pool, 1 to 128 characters
 * @param owner who may confirm, cancel or extend it, 1 to 128 characters
 * @param seats 1 to {@value SeatRequest#SEATS_MAX}
 * @param reservationId the name that a new hold gets
 */
public record HoldRequest(String requestId, String owner, int seats, UUID reservationId) {

  public HoldRequest {
    Objects.requireNonNull(requestId);
    Objects.requireNonNull(owner);
    Objects.requireNonNull(reservationId);
  }

  /** What identifies the request in its pool: its id, which belongs to its owner. */
  String id() {
    return owner.length() + ":" + owner + requestId;
  }
}

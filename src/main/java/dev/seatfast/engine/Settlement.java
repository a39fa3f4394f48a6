package dev.seatfast.engine;

import java.time.Instant;
import java.util.UUID;

/**
 * What became of a request to change a hold.
 *
 * @param outcome whether it was done, or why not
 * @param expiresAt the end of the hold as it is now, or null if there is none
 */
public record Settlement(Outcome outcome, Instant expiresAt) {

  /** What can be done with a hold. */
  public enum Action {
    /** Makes it a reservation for good. */
    CONFIRM,
    /** Gives its seats back, confirmed or not. */
    CANCEL,
    /** Gives it more time. */
    EXTEND
  }

  /** Who asks to change which hold. */
  public record Request(UUID reservationId, String owner) {}

  /** Whether it was done, or why not. */
  public enum Outcome {
    /** It is so now, or was so already. */
    DONE,
    /** The pool has no such reservation. */
    NOT_FOUND,
    /** It is somebody else's. */
    NOT_OWNER,
    /** It stands and falls with others, so it can't be changed alone. */
    PART_OF_GROUP,
    /** Its time has passed. */
    EXPIRED,
    /** It was cancelled. */
    CANCELLED,
    /** It was confirmed, so there is nothing to extend. */
    CONFIRMED,
    /** It has as much time as it can get. */
    TOO_LONG
  }
}

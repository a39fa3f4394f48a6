package dev.seatfast.engine;

import java.time.Instant;
import java.util.UUID;

/**
 * What became of a request to change a hold.
 *
 * @param outcome whether it was done, or why not
 * @param seats of the hold, or 0 if there is none
 * @param expiresAt the end of the hold as it is now, or null if there is none
 */
public record Settlement(Outcome outcome, int seats, Instant expiresAt) {

  /** What can be done with a hold. */
  public enum Action {
    /** Makes it a reservation for good. */
    CONFIRM,
    /** Gives its seats back, confirmed or not. */
    CANCEL,
    /** Gives it more time. */
    EXTEND
  }

  /** A request by an owner to change a hold. */
  public record Request(UUID reservationId, String owner) {

    /** What identifies the request among those for the same change. */
    String id() {
      return reservationId + owner;
    }
  }

  /** Whether it was done, or why not. */
  public enum Outcome {
    /** The change was applied, now or earlier. */
    DONE,
    /** The pool has no such reservation. */
    NOT_FOUND,
    /** The hold belongs to another user. */
    NOT_OWNER,
    /** The hold belongs to a group and can only be changed with it. */
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

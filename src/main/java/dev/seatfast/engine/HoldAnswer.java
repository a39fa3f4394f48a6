package dev.seatfast.engine;

import java.time.Instant;
import java.util.UUID;

/** What a {@link HoldRequest} gets. */
public sealed interface HoldAnswer permits HoldAnswer.Held, HoldAnswer.Refused, Shut {

  /** What the same request gets that comes again. */
  default HoldAnswer replay() {
    return this instanceof Held held
        ? new Held(held.reservationId(), held.seats(), held.expiresAt(), true)
        : this;
  }

  /**
   * The seats are held.
   *
   * @param reservationId what to confirm
   * @param seats of the first request with this id
   * @param expiresAt when the hold ends unless it is confirmed before
   * @param replayed whether it stood before this request
   */
  record Held(UUID reservationId, int seats, Instant expiresAt, boolean replayed)
      implements HoldAnswer {}

  /** There is no room. Nothing is held, and nothing remembers the request. */
  record Refused() implements HoldAnswer {}
}

package dev.seatfast.engine;

import java.time.Instant;
import java.util.UUID;

/** What a {@link HoldRequest} gets. */
public sealed interface HoldAnswer {

  /** The pool's seats. */
  int capacity();

  /** The pool's seats that are taken, right after this answer. */
  int reserved();

  /**
   * The seats are held.
   *
   * @param reservationId what to confirm
   * @param seats of the first request with this id
   * @param expiresAt when the hold ends unless it is confirmed before
   * @param replayed whether it stood before this request
   */
  record Held(
      UUID reservationId,
      int seats,
      Instant expiresAt,
      boolean replayed,
      int capacity,
      int reserved)
      implements HoldAnswer {}

  /** Nothing is held, and nothing remembers the request. */
  record Refused(int capacity, int reserved) implements HoldAnswer {}
}

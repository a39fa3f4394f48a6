package dev.seatfast.engine;

import java.time.Instant;

/**
 * A slot at one instant.
 *
 * @param start when it starts
 * @param state whether it is taken
 * @param heldUntil the end of the hold, if it is held
 */
public record Slot(Instant start, State state, Instant heldUntil) {

  /** Whether the slot is taken. */
  public enum State {
    FREE,
    HELD,
    CONFIRMED
  }
}

package dev.seatfast.engine;

import java.time.Instant;

/**
 * A slot at one instant.
 *
 * @param start when it starts
 * @param state whether somebody has it
 * @param heldUntil the end of the hold, if it is held
 */
public record Slot(Instant start, State state, Instant heldUntil) {

  /** Whether somebody has the slot. */
  public enum State {
    FREE,
    HELD,
    CONFIRMED
  }
}

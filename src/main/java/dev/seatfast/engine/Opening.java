package dev.seatfast.engine;

import java.time.Instant;

/**
 * When seats of a pool may be taken: from {@code opensAt} on, before {@code closesAt}, and not
 * while it is paused. It is about taking seats alone: what is held may be confirmed, cancelled and
 * extended at any time.
 *
 * @param opensAt null if it has always been open
 * @param closesAt after {@code opensAt}; null if it never closes
 */
public record Opening(Instant opensAt, Instant closesAt, boolean paused) {

  /** That of every pool until it gets another one. */
  public static final Opening ALWAYS = new Opening(null, null, false);

  /**
   * @throws IllegalArgumentException if it closes before it opens, or at the same instant
   */
  public Opening {
    if (opensAt != null && closesAt != null && !opensAt.isBefore(closesAt)) {
      throw new IllegalArgumentException("It opens at " + opensAt + ", after " + closesAt);
    }
  }
}

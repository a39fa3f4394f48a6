package dev.seatfast.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** One thing that a credential may allow. */
public enum Scope {
  /** Reserve seats of workshops. */
  RESERVE,
  /** Hold, confirm, cancel and extend. */
  HOLD,
  /** Read seats, slots and holds. */
  READ,
  /**
   * Set capacities and openings, list attempts, sweep, check invariants, and read the audit and the
   * metrics.
   */
  OPERATE,
  /** Follow the events. */
  EVENTS,
  /** Make, list and revoke API tokens. */
  TOKENS,
  /** Act for users other than the credential's own. */
  ACT_FOR,
  /** Reach every tenant, and what belongs to none. */
  ANY_TENANT;

  /** The scope's name in requests, in the database and on the command line. */
  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Finds a scope by its {@link #code}. */
  public static Optional<Scope> of(String code) {
    return Arrays.stream(values()).filter(scope -> scope.code().equals(code)).findFirst();
  }
}

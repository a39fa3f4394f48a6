package dev.seatfast.history.model;

import java.util.EnumSet;
import java.util.Set;

/** What a checker takes for granted beyond the rules that always hold. */
public enum Rule {
  /** A replay tells the {@code reserved} of the first answer. Without: the one of the moment. */
  REPLAYS_TELL_FIRST_RESERVED,

  /**
   * A rejection is counted at the moment at which too few seats were left. Without: others may see
   * what came later before they see the rejection, but not once it was answered. The service
   * rejects without a lock, and so keeps only the weaker rule.
   */
  REJECTIONS_COUNT_AT_ONCE;

  /** The rules that the service keeps. */
  public static Set<Rule> kept() {
    return EnumSet.of(REPLAYS_TELL_FIRST_RESERVED);
  }

  /** Every rule. */
  public static Set<Rule> all() {
    return EnumSet.allOf(Rule.class);
  }
}

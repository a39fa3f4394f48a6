package dev.seatfast.history.model;

import dev.seatfast.history.recording.ClockBounds;
import java.util.Set;

/**
 * What the checker knows about the service that was recorded.
 *
 * @param timeToLiveMillis the life of a hold
 * @param timeMaxMillis the longest that extending can make it
 * @param clock the database's clock, as far as it is known
 */
public record Terms(long timeToLiveMillis, long timeMaxMillis, ClockBounds clock, Set<Rule> rules) {

  public boolean has(Rule rule) {
    return rules.contains(rule);
  }
}

package dev.seatfast.engine;

import io.smallrye.config.ConfigMapping;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * What the engine can be told. The defaults are in {@code application.properties}, the ranges in
 * {@link EngineSettings}.
 */
@ConfigMapping(prefix = "seatfast")
public interface EngineConfig {

  /** Seats of a workshop without a capacity of its own, 0 to 1,000,000,000. */
  int defaultCapacity();

  /** How long holds last. */
  HoldTime hold();

  /** What other systems can follow. */
  Events events();

  /** How long holds last. */
  interface HoldTime {

    /** The life of a hold, and what extending it gives from that moment on. */
    Duration timeToLive();

    /** The longest that extending can make a hold last in all. */
    Duration timeMax();
  }

  /** What other systems can follow. */
  interface Events {

    /** Whether every transition leaves an event. */
    boolean enabled();
  }

  /** How requests for one pool share transactions. */
  Batch batch();

  /** How requests for one pool share transactions. */
  interface Batch {

    /** The most requests that one transaction decides. */
    int requestsMax();

    /** The most requests that may wait for one pool; one more is answered with "overloaded". */
    int waitingMax();

    /**
     * The most transactions at once, of all pools. Not more than the database connections; without
     * it {@value EngineSettings#TRANSACTIONS_MAX} of them, or all if there are fewer.
     */
    OptionalInt transactionsMax();
  }
}

package dev.seatfast.access;

import jakarta.inject.Singleton;

/** Tells how much time passes. It never jumps, unlike a clock that somebody sets. */
@Singleton
class Ticker {

  /** Nanoseconds since a moment of its own. */
  long nanos() {
    return System.nanoTime();
  }
}

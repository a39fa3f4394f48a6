package dev.seatfast.operators;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;

/** Provides the clock of this process. Decisions never use it: they go by the database's. */
class Clocks {

  @Produces
  @Singleton
  Clock clock() {
    return Clock.systemUTC();
  }
}

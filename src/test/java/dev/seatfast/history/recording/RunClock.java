package dev.seatfast.history.recording;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/**
 * The clock of a run: microseconds since 1970, steady because only the start is taken from the
 * system's clock.
 */
public final class RunClock {

  private final long startMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  private final long startNanos = System.nanoTime();

  public long micros() {
    return startMicros + TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startNanos);
  }
}

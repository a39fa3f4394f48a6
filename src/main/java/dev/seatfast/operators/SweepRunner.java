package dev.seatfast.operators;

import dev.seatfast.engine.Sweep;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Sweeps batch by batch until no expired hold is left, but for no longer than a while. */
@Singleton
class SweepRunner {

  private static final Duration TIME_MAX = Duration.ofSeconds(20);

  private final Sweep sweep;
  private final Clock clock;

  SweepRunner(Sweep sweep, Clock clock) {
    this.sweep = sweep;
    this.clock = clock;
  }

  /**
   * What a run did.
   *
   * @param seats that it gave back
   * @param done whether no expired hold was left; if not, run it again
   */
  record Result(long seats, boolean done) {}

  /**
   * @param recorder runs in each transaction that gives seats back
   */
  Result run(Sweep.Recorder recorder) {
    Instant end = clock.instant().plus(TIME_MAX);
    long seats = 0;
    boolean skipped = false;
    Sweep.Position position = Sweep.Position.START;
    while (position != null && clock.instant().isBefore(end)) {
      Sweep.Batch batch = sweep.runBatch(position, recorder);
      seats += batch.seats();
      skipped |= batch.skipped();
      position = batch.next();
    }
    return new Result(seats, position == null && !skipped);
  }
}

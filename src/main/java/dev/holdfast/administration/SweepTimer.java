package dev.holdfast.administration;

import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;

/** Sweeps from time to time, where the process lives long enough to have a timer. */
@Singleton
class SweepTimer {

  private final Sweeping sweeping;

  SweepTimer(Sweeping sweeping) {
    this.sweeping = sweeping;
  }

  @Scheduled(
      every = "{holdfast.sweep.every}",
      delay = 10,
      delayUnit = TimeUnit.SECONDS,
      concurrentExecution = ConcurrentExecution.SKIP)
  void sweep() {
    sweeping.run();
  }
}

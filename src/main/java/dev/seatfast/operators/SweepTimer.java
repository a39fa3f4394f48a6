package dev.seatfast.operators;

import dev.seatfast.database.NamespaceDeletedException;
import dev.seatfast.database.Tombstone;
import dev.seatfast.database.UnavailableException;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Sweeps at intervals, in a process that lives long enough for a timer. */
@Singleton
class SweepTimer {

  private static final Logger LOG = Logger.getLogger(SweepTimer.class);

  private final SweepRunner runner;
  private final Tombstone tombstone;

  SweepTimer(SweepRunner runner, Tombstone tombstone) {
    this.runner = runner;
    this.tombstone = tombstone;
  }

  @Scheduled(
      every = "{seatfast.sweep.every}",
      delay = 10,
      delayUnit = TimeUnit.SECONDS,
      concurrentExecution = ConcurrentExecution.SKIP)
  void sweep() {
    if (tombstone.isDeleting()) {
      return;
    }
    try {
      runner.run();
    } catch (UnavailableException | NamespaceDeletedException e) {
      LOG.infof("Not swept: %s", e.getMessage());
    }
  }
}

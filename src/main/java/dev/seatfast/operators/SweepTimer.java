package dev.seatfast.operators;

import dev.seatfast.database.NamespaceDeletedException;
import dev.seatfast.database.Tombstone;
import dev.seatfast.database.UnavailableException;
import dev.seatfast.engine.Sweep;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Sweeps at intervals, in a process that lives long enough for a timer. */
@Singleton
class SweepTimer {

  private static final Logger LOG = Logger.getLogger(SweepTimer.class);

  private final OperatorConfig config;
  private final SweepRunner runner;
  private final Tombstone tombstone;

  SweepTimer(OperatorConfig config, SweepRunner runner, Tombstone tombstone) {
    this.config = config;
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
      runner.run(Sweep.Recorder.NONE);
    } catch (UnavailableException | NamespaceDeletedException e) {
      LOG.infof("Not swept, again in %s: %s", config.sweep().every(), e.getMessage());
    }
  }
}

package dev.seatfast.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.history.checker.HistoryChecker;
import dev.seatfast.history.checker.Plant;
import dev.seatfast.history.checker.Verdict;
import dev.seatfast.history.faults.Cluster;
import dev.seatfast.history.faults.Fault;
import dev.seatfast.history.recording.PoolHistory;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A few seconds of what {@code deploy/faults} does for as long as one likes. */
class HistoryIT {

  private static final Logger LOG = Logger.getLogger(HistoryIT.class);
  private static final long SEED = 20_260_101;

  @TempDir Path folder;

  @Test
  void everyAnswerIsExplainedWhateverDiesAndPlantedFaultsAreFound() throws Exception {
    Options options = Options.ofOneRound(SEED, folder);
    FaultRun run = new FaultRun(options);
    FaultRun.Round round;
    try (Cluster cluster = Cluster.start(folder, options.settings())) {
      round = run.record(cluster);
    }
    run.check(round);
    Report report = run.report();
    LOG.infof("Seed %d: %s", options.seed(), report);
    String failures = "Seed " + SEED + ", see " + report.writeFailures(Path.of("target"));
    assertTrue(report.good(), () -> failures + "\n" + report);
    assertEquals(0, report.undecided(), report::toString);
    assertEquals(EnumSet.allOf(Fault.class), report.faults().keySet());
    assertTrue(report.decisions() > 0, report::toString);
    assertPlantedFaultsAreFound(round);
  }

  private static void assertPlantedFaultsAreFound(FaultRun.Round round) {
    HistoryChecker checker = new HistoryChecker(round.terms());
    int planted = 0;
    for (Plant plant : Plant.values()) {
      for (PoolHistory history : round.histories()) {
        Optional<PoolHistory> wrong = plant.into(history, round.terms());
        if (wrong.isPresent()) {
          planted++;
          assertInstanceOf(
              Verdict.Impossible.class, checker.check(wrong.get()), plant + " in " + wrong.get());
        }
      }
    }
    assertTrue(planted > 0, "No fault fits into what was recorded");
  }
}

package dev.seatfast.history;

import dev.seatfast.history.checker.HistoryChecker;
import dev.seatfast.history.faults.Cluster;
import dev.seatfast.history.faults.Nemesis;
import dev.seatfast.history.load.Load;
import dev.seatfast.history.load.LoadedPool;
import dev.seatfast.history.model.Terms;
import dev.seatfast.history.recording.Answer;
import dev.seatfast.history.recording.ClockBounds;
import dev.seatfast.history.recording.PoolHistory;
import dev.seatfast.history.recording.Request;
import dev.seatfast.history.recording.RunClock;
import dev.seatfast.history.recording.TableReader;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Records what clients of two instances are told while these and their database are harmed, and
 * checks it. Each round has pools of its own.
 */
public final class FaultRun {

  /** For the few microseconds by which the clocks drift apart between two looks at them. */
  private static final long CLOCK_ERROR_MICROS = 1_000;

  private final Options options;
  private final Random random;
  private final RunClock clock = new RunClock();
  private final Report report = new Report();

  public FaultRun(Options options) {
    this.options = options;
    this.random = new Random(options.seed());
  }

  /** Histories of one round, and what is known about the time in which they were recorded. */
  record Round(List<PoolHistory> histories, Terms terms) {}

  /**
   * Runs until the time is over.
   *
   * @param progress is told after each round
   */
  public Report run(Consumer<Report> progress)
      throws IOException, SQLException, InterruptedException {
    long begin = System.nanoTime();
    try (Cluster cluster = Cluster.start(options.folder(), options.settings())) {
      do {
        check(record(cluster));
        progress.accept(report);
      } while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(options.seconds()));
    }
    return report;
  }

  /** What was done and found so far. */
  Report report() {
    return report;
  }

  /** Records one round. */
  Round record(Cluster cluster) throws IOException, SQLException, InterruptedException {
    ClockBounds bounds = cluster.askClock(clock);
    Load.Plan plan =
        new Load.Plan(options.clients(), cluster.urls(), Cluster.TOKEN, Cluster.DEFAULT_CAPACITY);
    Load load = Load.start(plan, clock, report.tally(), random);
    Nemesis nemesis = new Nemesis(cluster, options.faults(), random);
    List<LoadedPool> pools;
    try {
      nemesis.round();
      TimeUnit.SECONDS.sleep(options.calmSeconds());
    } finally {
      pools = load.stop();
    }
    report.inflicted(nemesis.inflicted());
    List<PoolHistory> histories = withTables(cluster, pools);
    bounds = bounds.or(cluster.askClock(clock)).widenedBy(CLOCK_ERROR_MICROS);
    Terms terms =
        new Terms(
            Cluster.TIME_TO_LIVE.toMillis(), Cluster.TIME_MAX.toMillis(), bounds, options.rules());
    return new Round(histories, terms);
  }

  /** Reading the tables is the last operation of each history. */
  private List<PoolHistory> withTables(Cluster cluster, List<LoadedPool> pools)
      throws SQLException {
    List<PoolHistory> histories = new ArrayList<>();
    try (Connection connection = cluster.connect()) {
      TableReader reader = new TableReader(connection, Cluster.TIME_TO_LIVE);
      for (LoadedPool pool : pools) {
        PoolHistory told = pool.recording().history();
        long begin = clock.micros();
        Answer.Tables tables = reader.read(told.pool(), told.defaultCapacity());
        pool.recording().add("tables", begin, clock.micros(), new Request.ReadTables(), tables);
        histories.add(pool.recording().history());
      }
    }
    return histories;
  }

  /** Checks every pool of a round. */
  void check(Round round) {
    HistoryChecker checker = new HistoryChecker(round.terms());
    round.histories().parallelStream()
        .forEach(history -> report.checked(history, checker.check(history), round.terms()));
  }
}

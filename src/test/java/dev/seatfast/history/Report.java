package dev.seatfast.history;

import dev.seatfast.history.checker.Shrinker;
import dev.seatfast.history.checker.Story;
import dev.seatfast.history.checker.Verdict;
import dev.seatfast.history.faults.Fault;
import dev.seatfast.history.load.Tally;
import dev.seatfast.history.model.Terms;
import dev.seatfast.history.recording.PoolHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What a run did and found. */
public final class Report {

  private static final int FAILURES_KEPT_MAX = 10;

  private final Tally tally = new Tally();
  private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
  private int rounds;
  private int pools;
  private int undecided;
  private int impossible;
  private final List<Shrinker.Small> failures = new ArrayList<>();

  Tally tally() {
    return tally;
  }

  void inflicted(Map<Fault, Integer> more) {
    rounds++;
    more.forEach((fault, times) -> faults.merge(fault, times, Integer::sum));
  }

  /** Counts a pool, and keeps the first failures, made as small as possible. */
  synchronized void checked(PoolHistory history, Verdict verdict, Terms terms) {
    pools++;
    if (verdict instanceof Verdict.Undecided) {
      undecided++;
    } else if (verdict instanceof Verdict.Impossible found) {
      impossible++;
      if (failures.size() < FAILURES_KEPT_MAX) {
        failures.add(new Shrinker(terms).shrink(history, found));
        failures.sort(Comparator.comparingLong(Shrinker.Small::size));
      }
    }
  }

  /** Whether there was nothing wrong. */
  public boolean good() {
    return impossible == 0 && tally.unexpectedResponses() == 0;
  }

  /** Answers to requests that may change something. */
  public long decisions() {
    return tally.decisions();
  }

  /** Pools whose histories allow too many orders. */
  public int undecided() {
    return undecided;
  }

  /** How often each kind of fault was inflicted. */
  public Map<Fault, Integer> faults() {
    return faults;
  }

  /** Writes the failures down, the smallest first. */
  public List<Path> writeFailures(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Shrinker.Small failure : failures) {
      Path file = folder.resolve("failure-%d.txt".formatted(files.size() + 1));
      Files.writeString(file, Story.of(failure));
      files.add(file);
    }
    return files;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        "%d decisions, %d reads, %d unknown, %d not begun, in %d rounds%n"
            .formatted(
                tally.decisions(),
                tally.reads(),
                tally.unknowns(),
                tally.notBegunRequests(),
                rounds));
    faults.forEach((fault, times) -> text.append("%5d x %s%n".formatted(times, fault)));
    text.append(
        "%d pools checked: %d explained, %d impossible, %d undecided%n"
            .formatted(pools, pools - impossible - undecided, impossible, undecided));
    if (tally.unexpectedResponses() > 0) {
      text.append("%d unexpected responses:%n".formatted(tally.unexpectedResponses()));
      tally.someUnexpected().stream()
          .sorted(Comparator.naturalOrder())
          .forEach(response -> text.append("  ").append(response).append(System.lineSeparator()));
    }
    return text.toString();
  }
}

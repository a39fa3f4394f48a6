package dev.seatfast.history.checker;

import dev.seatfast.history.recording.Operation;
import dev.seatfast.history.recording.PoolHistory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Writes an impossible history down for a person to read. */
public final class Story {

  private static final int REASONS_MAX = 20;
  private static final long MICROS_PER_MILLI = 1_000;

  private final Shrinker.Small small;
  private final long start;
  private final StringWriter text = new StringWriter();
  private final PrintWriter out = new PrintWriter(text);

  private Story(Shrinker.Small small) {
    this.small = small;
    this.start =
        small.whole().operations().stream()
            .mapToLong(Operation::begin)
            .min()
            .orElse(small.verdict().operation().begin());
  }

  public static String of(Shrinker.Small small) {
    return new Story(small).tell();
  }

  private String tell() {
    out.printf(
        "Pool %s, %d seats by default. Times are milliseconds; 0 is %d since 1970.%n",
        small.history().pool(), small.history().defaultCapacity(), start / MICROS_PER_MILLI);
    out.printf("%nNo order explains all of these answers:%n%n");
    tell(small.history(), Operation::answered);
    out.printf("%nThe first that fits into no order of those before it:%n%n");
    tell(small.verdict().operation());
    out.printf("%nWhat the pool would be in each order, and answer:%n%n");
    List<String> because = small.verdict().because();
    because.stream().limit(REASONS_MAX).forEach(reason -> out.printf("  %s%n", reason));
    if (because.size() > REASONS_MAX) {
      out.printf("  and %d more%n", because.size() - REASONS_MAX);
    }
    out.printf("%nOther requests, which may have changed the pool, whatever they were told:%n%n");
    tell(small.history(), operation -> !operation.answered() && !operation.request().reads());
    out.printf("%nEverything that was asked of this pool:%n%n");
    tell(small.whole(), operation -> true);
    return text.toString();
  }

  private void tell(PoolHistory history, Predicate<Operation> which) {
    history.operations().stream()
        .filter(which)
        .sorted(Comparator.comparingLong(Operation::begin))
        .forEach(this::tell);
  }

  private void tell(Operation operation) {
    out.printf(
        "%10s %10s  %-14s %s -> %s%n",
        millis(operation.begin()),
        operation.end() == Operation.NEVER ? "..." : millis(operation.end()),
        operation.client(),
        Texts.of(operation.request()),
        Texts.of(operation.answer()));
  }

  private String millis(long micros) {
    return "%.3f".formatted((micros - start) / (double) MICROS_PER_MILLI);
  }
}

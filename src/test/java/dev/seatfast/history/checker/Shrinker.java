package dev.seatfast.history.checker;

import dev.seatfast.history.model.Facts;
import dev.seatfast.history.model.Terms;
import dev.seatfast.history.recording.Operation;
import dev.seatfast.history.recording.PoolHistory;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes an impossible history smaller, so that a person sees what can't be. What is left out allows
 * more orders, never fewer: what follows the contradiction, reads, and the answers to other
 * requests. So what stays is a contradiction in itself.
 */
public final class Shrinker {

  /** One answer more or less is not worth a long search. */
  private static final int CONFIGURATIONS_MAX = 2_000;

  private final HistoryChecker checker;

  public Shrinker(Terms terms) {
    this.checker = new HistoryChecker(terms, CONFIGURATIONS_MAX);
  }

  /**
   * A smaller history.
   *
   * @param history with the operations that are needed, and those whose answers are not
   * @param verdict about it
   */
  public record Small(PoolHistory history, Verdict.Impossible verdict) {

    /** How many answers it takes to see the contradiction. */
    public long size() {
      return history.operations().stream().filter(Operation::answered).count();
    }
  }

  public Small shrink(PoolHistory whole, Verdict.Impossible verdict) {
    Facts facts = Facts.of(whole);
    Small small = new Small(whole.with(begunBefore(whole, verdict.operation().end())), verdict);
    for (int i = small.history().operations().size() - 1; i >= 0; i--) {
      if (small.history().operations().get(i).answered()) {
        small = without(small, i, facts, verdict.operation().end());
      }
    }
    return small;
  }

  private static List<Operation> begunBefore(PoolHistory history, long time) {
    return history.operations().stream().filter(operation -> operation.begin() <= time).toList();
  }

  private Small without(Small small, int index, Facts facts, long until) {
    List<Operation> fewer = new ArrayList<>(small.history().operations());
    Operation operation = fewer.remove(index);
    if (!operation.request().reads()) {
      fewer.add(index, operation.forgetting());
    }
    PoolHistory history = small.history().with(fewer);
    return checker.check(history, facts, until) instanceof Verdict.Impossible still
        ? new Small(history, still)
        : small;
  }
}

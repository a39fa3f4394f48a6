package dev.seatfast.history.checker;

import dev.seatfast.history.model.Facts;
import dev.seatfast.history.model.Terms;
import dev.seatfast.history.recording.Answer;
import dev.seatfast.history.recording.Operation;
import dev.seatfast.history.recording.PoolHistory;
import dev.seatfast.history.recording.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes an impossible history smaller, so that a person sees the contradiction. Whatever is left
 * out allows more orders, never fewer: operations that begin after the contradiction, operations
 * that had no effect, and the answers to others. So the rest is a contradiction by itself.
 */
public final class Shrinker {

  /** One answer more or less is not worth a long search. */
  private static final int CONFIGURATIONS_MAX = 5_000;

  private final HistoryChecker checker;

  public Shrinker(Terms terms) {
    this.checker = new HistoryChecker(terms, CONFIGURATIONS_MAX);
  }

  /**
   * A smaller history.
   *
   * @param whole the history that it was made of
   * @param history with the operations that are needed, and those whose answers are not
   * @param verdict about it
   */
  public record Small(PoolHistory whole, PoolHistory history, Verdict.Impossible verdict) {

    /** The number of answers that it takes to see the contradiction. */
    public long size() {
      return history.operations().stream().filter(Operation::answered).count();
    }
  }

  public Small shrink(PoolHistory whole, Verdict.Impossible verdict) {
    Facts facts = Facts.of(whole);
    long until = verdict.operation().end();
    Small small = new Small(whole, whole.with(begunBefore(whole, until)), verdict);
    small = without(small, Shrinker::hadNoEffect, facts, until);
    return without(small, operation -> true, facts, until);
  }

  private static List<Operation> begunBefore(PoolHistory history, long time) {
    return history.operations().stream().filter(operation -> operation.begin() <= time).toList();
  }

  private Small without(Small small, Predicate<Operation> which, Facts facts, long until) {
    Small smaller = small;
    for (int i = small.history().operations().size() - 1; i >= 0; i--) {
      Operation operation = smaller.history().operations().get(i);
      if (operation.answered() && which.test(operation)) {
        smaller = without(smaller, i, facts, until);
      }
    }
    return smaller;
  }

  private Small without(Small small, int index, Facts facts, long until) {
    List<Operation> fewer = new ArrayList<>(small.history().operations());
    Operation operation = fewer.remove(index);
    if (!hadNoEffect(operation) && !nothingShows(operation, fewer)) {
      fewer.add(index, operation.forgetting());
    }
    PoolHistory history = small.history().with(fewer);
    return checker.check(history, facts, until) instanceof Verdict.Impossible still
        ? new Small(small.whole(), history, still)
        : small;
  }

  /** Whether an operation with this answer leaves every pool as it is. */
  private static boolean hadNoEffect(Operation operation) {
    return operation.request().reads()
        || operation.answer() instanceof Answer.Refused
        || operation.answer() instanceof Answer.Shut
        || operation.answer() instanceof Answer.NotSettled
        || operation.answer() instanceof Answer.CapacityRefused
        || operation.answer() instanceof Answer.Decided decided && decided.replayed();
  }

  /** Whether it was a rejection, and no other operation can tell. */
  private static boolean nothingShows(Operation operation, List<Operation> others) {
    return operation.request() instanceof Request.Reserve rejected
        && operation.answer() instanceof Answer.Decided decided
        && !decided.accepted()
        && others.stream().noneMatch(other -> counts(other) || sameId(other, rejected));
  }

  private static boolean counts(Operation operation) {
    return operation.answer() instanceof Answer.Status
        || operation.answer() instanceof Answer.Tables;
  }

  private static boolean sameId(Operation operation, Request.Reserve request) {
    return operation.request() instanceof Request.Reserve other
        && other.requestId().equals(request.requestId());
  }
}

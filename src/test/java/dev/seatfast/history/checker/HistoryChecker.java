package dev.seatfast.history.checker;

import dev.seatfast.history.model.Facts;
import dev.seatfast.history.model.PoolModel;
import dev.seatfast.history.model.PoolState;
import dev.seatfast.history.model.Rule;
import dev.seatfast.history.model.Terms;
import dev.seatfast.history.recording.Answer;
import dev.seatfast.history.recording.Operation;
import dev.seatfast.history.recording.PoolHistory;
import dev.seatfast.history.recording.Request;
import java.util.ArrayList;
import java.util.List;

/** Decides about one pool's history at a time. */
public final class HistoryChecker {

  /** Some seconds and some hundred megabytes at worst. Ordinary histories need a few dozen. */
  private static final int CONFIGURATIONS_MAX = 50_000;

  private final Terms terms;
  private final int configurationsMax;

  public HistoryChecker(Terms terms) {
    this(terms, CONFIGURATIONS_MAX);
  }

  HistoryChecker(Terms terms, int configurationsMax) {
    this.terms = terms;
    this.configurationsMax = configurationsMax;
  }

  public Verdict check(PoolHistory history) {
    return check(history, Facts.of(history), Long.MAX_VALUE);
  }

  /** Checks a history until some time, with what the whole of it tells. */
  Verdict check(PoolHistory history, Facts facts, long until) {
    return new Linearizer(new PoolModel(terms, facts), configurationsMax)
        .check(PoolState.unused(history.defaultCapacity()), withEvents(history, facts), until);
  }

  /** Adds what nobody asked for. */
  private List<Operation> withEvents(PoolHistory history, Facts facts) {
    List<Operation> all = new ArrayList<>(history.operations());
    all.addAll(facts.passingEnds(terms.clock()));
    if (!terms.has(Rule.REJECTIONS_COUNT_AT_ONCE)) {
      history.operations().stream()
          .filter(HistoryChecker::mayReject)
          .map(HistoryChecker::showing)
          .forEach(all::add);
    }
    return all;
  }

  private static boolean mayReject(Operation operation) {
    return operation.request() instanceof Request.Reserve
        && (!operation.answered()
            || operation.answer() instanceof Answer.Decided decided
                && !decided.accepted()
                && !decided.replayed());
  }

  private static Operation showing(Operation operation) {
    String id = ((Request.Reserve) operation.request()).requestId();
    return new Operation(
        operation.number(),
        operation.client(),
        operation.begin(),
        operation.end(),
        new Request.ShowRejection(id),
        operation.answered() ? new Answer.Happened() : operation.answer());
  }
}

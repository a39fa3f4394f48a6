package dev.seatfast.history.checker;

import dev.seatfast.history.model.PoolModel;
import dev.seatfast.history.model.PoolState;
import dev.seatfast.history.model.Step;
import dev.seatfast.history.recording.Answer;
import dev.seatfast.history.recording.Operation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides whether a history is linearizable: whether each operation can be given a moment between
 * its begin and its end so that, one after another in the order of these moments, the model gives
 * the recorded answers.
 *
 * <p>This is the just-in-time linearization of Lowe, "Testing for linearizability" (2017). It goes
 * through begins and ends in the order of time and keeps every configuration that is still
 * possible: a state of the pool, and which of the pending operations have taken effect. When an
 * operation ends, each configuration is continued, by whatever pending operations it takes, until
 * that operation has taken effect; those that can't be are dropped. None left means that no order
 * exists, and tells at which operation.
 *
 * <p>Operations without an answer stay pending for ever, so that they may take effect at any time
 * or never. Two rules keep the configurations few. An operation that leaves the state as it is, and
 * could only do so later, takes effect at once, because to wait has no advantage. And one without
 * an answer that would leave it so is not tried, because nobody could tell.
 */
final class Linearizer {

  private static final Comparator<Event> IN_TIME =
      Comparator.comparingLong(Event::time)
          .thenComparing(Event::isEnd) // what touches overlaps
          .thenComparingInt(event -> event.operation().number());

  private final PoolModel model;
  private final int configurationsMax;
  private final Pending pending = new Pending();

  /**
   * @param configurationsMax the most to visit for one operation before giving up
   */
  Linearizer(PoolModel model, int configurationsMax) {
    this.model = model;
    this.configurationsMax = configurationsMax;
  }

  private record Event(long time, boolean isEnd, Operation operation) {}

  /**
   * Looks for an order that begins in a state.
   *
   * @param until what ends after this time counts as unanswered
   */
  Verdict check(PoolState start, List<Operation> operations, long until) {
    Set<Configuration> possible = Set.of(new Configuration(start, 0));
    for (Event event : events(operations)) {
      if (event.time() > until) {
        break;
      }
      if (!event.isEnd()) {
        if (!pending.add(event.operation())) {
          return new Verdict.Undecided(event.operation(), "too many operations are pending");
        }
        continue;
      }
      Set<Configuration> visited = new HashSet<>();
      Set<Configuration> next = proceed(possible, event.operation(), visited);
      if (visited.size() > configurationsMax) {
        return new Verdict.Undecided(
            event.operation(), "more than " + configurationsMax + " orders are possible");
      }
      if (next.isEmpty()) {
        return new Verdict.Impossible(event.operation(), reasons(visited, event.operation()));
      }
      pending.remove(pending.placeOf(event.operation()));
      possible = next;
    }
    return new Verdict.Explained();
  }

  private static List<Event> events(List<Operation> operations) {
    List<Event> events = new ArrayList<>();
    for (Operation operation : operations) {
      if (operation.answered()) {
        events.add(new Event(operation.end(), true, operation));
      } else if (operation.request().reads()) {
        continue; // neither told nor changed anything
      }
      events.add(new Event(operation.begin(), false, operation));
    }
    events.sort(IN_TIME);
    return events;
  }

  /** Continues each configuration until it contains the operation that ends. */
  private Set<Configuration> proceed(
      Set<Configuration> possible, Operation ending, Set<Configuration> visited) {
    int place = pending.placeOf(ending);
    Set<Configuration> next = new LinkedHashSet<>();
    Deque<Configuration> open = new ArrayDeque<>(possible);
    while (!open.isEmpty() && visited.size() <= configurationsMax) {
      Configuration configuration = withoutEffect(open.pop());
      if (configuration.contains(place)) {
        next.add(configuration.forget(place));
      } else if (visited.add(configuration)) {
        pending.eachMissingIn(configuration, other -> branch(configuration, other, open));
      }
    }
    return next;
  }

  /** Lets everything take effect that leaves the state as it is. */
  private Configuration withoutEffect(Configuration configuration) {
    Configuration[] result = {configuration};
    pending.eachMissingIn(
        configuration,
        place -> {
          Operation operation = pending.at(place);
          if (operation.answered() && changesNothing(configuration.state(), operation)) {
            result[0] = result[0].with(place, configuration.state());
          }
        });
    return result[0];
  }

  /**
   * Whether an operation fits here, with its answer, and leaves this and every later state as it
   * is. What was decided, ended or extended stays so; only a capacity and a pause can be changed
   * and set back.
   */
  private boolean changesNothing(PoolState state, Operation operation) {
    if (operation.answer() instanceof Answer.CapacitySet
        || operation.answer() instanceof Answer.OpeningSet) {
      return false;
    }
    for (Step step : model.steps(state, operation)) {
      if (step.state() == state && step.answer().equals(operation.answer())) {
        return true;
      }
    }
    return false;
  }

  private void branch(Configuration configuration, int place, Deque<Configuration> open) {
    Operation operation = pending.at(place);
    for (Step step : model.steps(configuration.state(), operation)) {
      boolean fits =
          operation.answered()
              ? step.answer().equals(operation.answer())
              : step.state() != configuration.state();
      if (fits) {
        open.push(configuration.with(place, step.state()));
      }
    }
  }

  private List<String> reasons(Set<Configuration> visited, Operation operation) {
    Set<String> reasons = new LinkedHashSet<>();
    for (Configuration configuration : visited) {
      List<Step> steps = model.steps(configuration.state(), operation);
      String instead =
          steps.isEmpty()
              ? "impossible so far"
              : String.join(" or ", steps.stream().map(step -> Texts.of(step.answer())).toList());
      reasons.add(configuration.state() + " -> " + instead);
    }
    return List.copyOf(reasons);
  }
}

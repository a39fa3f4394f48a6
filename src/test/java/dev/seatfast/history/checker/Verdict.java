package dev.seatfast.history.checker;

import dev.seatfast.history.recording.Operation;
import java.util.List;

/** What the search found about the history of one pool. */
public sealed interface Verdict {

  /** Some order of the operations explains every answer. */
  record Explained() implements Verdict {}

  /**
   * No order does.
   *
   * @param operation the first one, by the end of its interval, that fits into no order of those
   *     before it
   * @param because what the model would have answered instead, in each of the remaining orders
   */
  record Impossible(Operation operation, List<String> because) implements Verdict {}

  /** Too many orders are possible. */
  record Undecided(Operation operation, String why) implements Verdict {}
}

package dev.seatfast.history.recording;

/**
 * One request and what became of it. Times are microseconds on the clock of the run.
 *
 * @param number unique within the pool, in the order in which the requests were recorded
 * @param client who asked, and through which instance
 * @param begin before the request was sent
 * @param end after the answer was read; {@link #NEVER} if there was none
 */
public record Operation(
    int number, String client, long begin, long end, Request request, Answer answer) {

  /** The end of an operation without an answer. */
  public static final long NEVER = Long.MAX_VALUE;

  public boolean answered() {
    return !(answer instanceof Answer.Unknown);
  }

  /** The same operation with another answer. */
  public Operation answering(Answer other) {
    return new Operation(number, client, begin, end, request, other);
  }

  /** The same operation as if its answer had been lost. */
  public Operation forgetting() {
    return new Operation(number, client, begin, NEVER, request, new Answer.Unknown("left out"));
  }
}

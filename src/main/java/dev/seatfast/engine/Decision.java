package dev.seatfast.engine;

/**
 * The durable answer to a {@link SeatRequest}.
 *
 * @param requestId the request it answers
 * @param seats the seats of the first request with this id, which a replay may differ from
 * @param outcome decided once and never changed
 * @param capacity the pool's seats today
 * @param reserved the pool's seats that were taken right after this was decided, also in a replay
 * @param replayed whether the request had been decided before
 */
public record Decision(
    String requestId, int seats, Outcome outcome, int capacity, int reserved, boolean replayed)
    implements SeatAnswer {

  @Override
  public Decision replay() {
    return replayed ? this : new Decision(requestId, seats, outcome, capacity, reserved, true);
  }

  /** What was decided. */
  public enum Outcome {
    ACCEPTED,
    REJECTED
  }
}

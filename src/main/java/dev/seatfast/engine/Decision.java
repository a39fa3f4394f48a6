package dev.seatfast.engine;

/**
 * The durable answer to a {@link SeatRequest}.
 *
 * @param requestId the request it answers
 * @param seats the seats of the first request with this id, which a replay may differ from
 * @param outcome made once, the same for ever
 * @param capacity the pool's seats
 * @param reserved the pool's seats that are taken, right after this answer
 * @param replayed whether the request had been decided before
 */
public record Decision(
    String requestId, int seats, Outcome outcome, int capacity, int reserved, boolean replayed) {

  /** What was decided. */
  public enum Outcome {
    ACCEPTED,
    REJECTED
  }
}

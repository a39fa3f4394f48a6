package dev.seatfast.history.load;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** Counts what clients were told. */
public final class Tally {

  private static final int UNEXPECTED_KEPT_MAX = 20;

  private final LongAdder decisions = new LongAdder();
  private final LongAdder reads = new LongAdder();
  private final LongAdder unknowns = new LongAdder();
  private final LongAdder notBegun = new LongAdder();
  private final LongAdder unexpected = new LongAdder();
  private final Queue<String> firstUnexpected = new ConcurrentLinkedQueue<>();

  void decided() {
    decisions.increment();
  }

  void read() {
    reads.increment();
  }

  void unknown() {
    unknowns.increment();
  }

  void notBegun() {
    notBegun.increment();
  }

  void unexpected(String what) {
    unexpected.increment();
    if (firstUnexpected.size() < UNEXPECTED_KEPT_MAX) {
      firstUnexpected.add(what);
    }
  }

  /** Answers to requests that may change something. */
  public long decisions() {
    return decisions.sum();
  }

  /** Answers to requests that only read. */
  public long reads() {
    return reads.sum();
  }

  /** Requests without an answer that may have had an effect. */
  public long unknowns() {
    return unknowns.sum();
  }

  /** Requests that certainly had none. */
  public long notBegunRequests() {
    return notBegun.sum();
  }

  /** Responses that make no sense. */
  public long unexpectedResponses() {
    return unexpected.sum();
  }

  /** Some of them. */
  public List<String> someUnexpected() {
    return List.copyOf(firstUnexpected);
  }
}

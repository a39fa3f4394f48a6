package dev.seatfast.history.model;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** A pool at one point of the order of its operations. Immutable. */
public final class PoolState {

  private final int capacity;
  private final boolean paused;
  private final Map<String, FirstDecision> decisions;
  private final Map<UUID, HoldState> holds;
  private final Counts counts;
  private final int hash;

  private PoolState(
      int capacity,
      boolean paused,
      Map<String, FirstDecision> decisions,
      Map<UUID, HoldState> holds,
      Counts counts) {
    this.capacity = capacity;
    this.paused = paused;
    this.decisions = decisions;
    this.holds = holds;
    this.counts = counts;
    this.hash =
        31 * (31 * capacity + decisions.hashCode()) + holds.hashCode() + Boolean.hashCode(paused);
  }

  /** A pool that nobody used yet. */
  public static PoolState unused(int capacity) {
    return new PoolState(capacity, false, Map.of(), Map.of(), new Counts(0, 0, 0, 0));
  }

  /** How a direct reservation was decided. */
  record FirstDecision(boolean accepted, int seats, int reserved, boolean shown) {

    FirstDecision show() {
      return new FirstDecision(accepted, seats, reserved, true);
    }
  }

  /**
   * Sums over the decisions and holds.
   *
   * @param taken seats that are confirmed or held
   */
  record Counts(int taken, int acceptedRequests, int acceptedSeats, int rejectedRequests) {

    Counts taking(int seats) {
      return new Counts(taken + seats, acceptedRequests, acceptedSeats, rejectedRequests);
    }

    Counts accepting(int requests, int seats) {
      return new Counts(
          taken, acceptedRequests + requests, acceptedSeats + seats, rejectedRequests);
    }

    Counts rejecting() {
      return new Counts(taken, acceptedRequests, acceptedSeats, rejectedRequests + 1);
    }
  }

  int capacity() {
    return capacity;
  }

  boolean paused() {
    return paused;
  }

  Counts counts() {
    return counts;
  }

  int taken() {
    return counts.taken();
  }

  boolean hasRoomFor(int seats) {
    return taken() + seats <= capacity;
  }

  Map<String, FirstDecision> decisions() {
    return decisions;
  }

  Map<UUID, HoldState> holds() {
    return holds;
  }

  PoolState withCapacity(int other) {
    return other == capacity ? this : new PoolState(other, paused, decisions, holds, counts);
  }

  PoolState withPaused(boolean other) {
    return other == paused ? this : new PoolState(capacity, other, decisions, holds, counts);
  }

  /** With a new decision, or with one that others see now. */
  PoolState deciding(String requestId, FirstDecision decision) {
    Counts then =
        decision.accepted()
            ? counts.taking(decision.seats()).accepting(1, decision.seats())
            : decision.shown() ? counts.rejecting() : counts;
    return new PoolState(capacity, paused, with(decisions, requestId, decision), holds, then);
  }

  /** With a new hold, or with one as it has become. */
  PoolState holding(UUID reservation, HoldState hold) {
    HoldState before = holds.get(reservation);
    Counts then = counts;
    if (before != null) {
      then = counted(then, before, -1);
    }
    return new PoolState(
        capacity, paused, decisions, with(holds, reservation, hold), counted(then, hold, 1));
  }

  private static Counts counted(Counts counts, HoldState hold, int sign) {
    Counts then = hold.stands() ? counts.taking(sign * hold.seats()) : counts;
    return hold.stage() == HoldState.Stage.CONFIRMED
        ? then.accepting(sign, sign * hold.seats())
        : then;
  }

  private static <K, V> Map<K, V> with(Map<K, V> map, K key, V value) {
    Map<K, V> copy = new HashMap<>(map);
    copy.put(key, value);
    return copy;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PoolState that
        && hash == that.hash
        && capacity == that.capacity
        && paused == that.paused
        && counts.equals(that.counts)
        && decisions.equals(that.decisions)
        && holds.equals(that.holds);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** The counts, and the holds that stand. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append("%d of %d seats taken, ".formatted(taken(), capacity))
        .append(
            "%d requests for %d seats accepted, %d rejected"
                .formatted(
                    counts.acceptedRequests(), counts.acceptedSeats(), counts.rejectedRequests()));
    text.append(paused ? ", paused" : "");
    holds.forEach(
        (id, hold) -> {
          if (hold.stands()) {
            text.append("; %s %s by %s".formatted(id, hold.stage(), hold.user()));
          }
        });
    return text.toString();
  }
}

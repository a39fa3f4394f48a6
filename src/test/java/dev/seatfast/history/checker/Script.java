package dev.seatfast.history.checker;

import dev.seatfast.engine.Settlement.Action;
import dev.seatfast.history.model.Rule;
import dev.seatfast.history.model.Terms;
import dev.seatfast.history.recording.Answer;
import dev.seatfast.history.recording.ClockBounds;
import dev.seatfast.history.recording.Operation;
import dev.seatfast.history.recording.PoolHistory;
import dev.seatfast.history.recording.Request;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A history written by hand. Times are milliseconds; holds last for {@value #TIME_TO_LIVE} of them,
 * and the database's clock may be off by {@value #CLOCK_OFF}.
 */
final class Script {

  static final int TIME_TO_LIVE = 100;
  static final int CLOCK_OFF = 2;
  static final UUID ONE = new UUID(0, 1);
  static final UUID TWO = new UUID(0, 2);

  private static final int TIME_MAX = 250;
  private static final int MICROS_PER_MILLI = 1_000;

  private final int capacity;
  private final Set<Rule> rules = Rule.all();
  private final List<Operation> operations = new ArrayList<>();

  private Script(int capacity) {
    this.capacity = capacity;
  }

  static Script workshop(int capacity) {
    return new Script(capacity);
  }

  static Script slot() {
    return new Script(1);
  }

  Script without(Rule rule) {
    rules.removeAll(EnumSet.of(rule));
    return this;
  }

  /** Somebody asked, and was told. */
  Script told(int begin, int end, Request request, Answer answer) {
    operations.add(
        new Operation(
            operations.size(),
            "somebody",
            begin * MICROS_PER_MILLI,
            end * MICROS_PER_MILLI,
            request,
            answer));
    return this;
  }

  /** Somebody asked, and was told nothing. */
  Script lost(int begin, Request request) {
    operations.add(
        new Operation(
            operations.size(),
            "somebody",
            begin * MICROS_PER_MILLI,
            Operation.NEVER,
            request,
            new Answer.Unknown("lost")));
    return this;
  }

  PoolHistory history() {
    return new PoolHistory("by hand", capacity, operations);
  }

  Terms terms() {
    long off = CLOCK_OFF * MICROS_PER_MILLI;
    return new Terms(TIME_TO_LIVE, TIME_MAX, new ClockBounds(-off, off), rules);
  }

  Verdict verdict() {
    return new HistoryChecker(terms()).check(history());
  }

  static Request reserve(String id, int seats) {
    return new Request.Reserve(id, seats);
  }

  static Request hold(String key, String user) {
    return new Request.HoldSlot(key, user);
  }

  static Request confirm(UUID reservation, String user) {
    return new Request.Settle(Action.CONFIRM, reservation, user, false);
  }

  static Request cancel(UUID reservation, String user) {
    return new Request.Settle(Action.CANCEL, reservation, user, false);
  }

  static Request extend(UUID reservation, String user) {
    return new Request.Settle(Action.EXTEND, reservation, user, false);
  }

  static Request status() {
    return new Request.ReadStatus();
  }

  static Answer accepted(int seats, int reserved, int capacity) {
    return new Answer.Decided(true, seats, capacity, reserved, false, false);
  }

  static Answer rejected(int seats, int reserved, int capacity) {
    return new Answer.Decided(false, seats, capacity, reserved, false, false);
  }

  static Answer again(Answer answer) {
    Answer.Decided first = (Answer.Decided) answer;
    return new Answer.Decided(
        first.accepted(), first.seats(), first.capacity(), first.reserved(), true, false);
  }

  static Answer counts(int reserved, int capacity, int accepted, int rejected, int seats) {
    return new Answer.Status(capacity, reserved, accepted, rejected, seats);
  }

  static Answer refused() {
    return new Answer.Refused();
  }

  static Answer settled() {
    return new Answer.Settled();
  }

  static Answer expired() {
    return new Answer.NotSettled("EXPIRED");
  }

  /** Held by an operation that took effect at some time. */
  static Answer held(UUID reservation, int at) {
    return new Answer.SlotHeld(reservation, at + TIME_TO_LIVE);
  }
}

package dev.seatfast.history.checker;

import dev.seatfast.history.recording.Answer;
import dev.seatfast.history.recording.Request;
import java.util.Locale;
import java.util.TreeMap;

/** Requests and answers in words. */
final class Texts {

  private Texts() {}

  static String of(Request request) {
    if (request instanceof Request.Reserve reserve) {
      return "reserve %s, %d seats".formatted(reserve.requestId(), reserve.seats());
    } else if (request instanceof Request.Hold hold) {
      return "hold %s for %s, %d seats".formatted(hold.key(), hold.user(), hold.seats());
    } else if (request instanceof Request.Settle settle) {
      String action = settle.action().name().toLowerCase(Locale.ROOT);
      return "%s %s for %s%s"
          .formatted(
              action, settle.reservation(), settle.user(), settle.contract() ? " (contract)" : "");
    } else if (request instanceof Request.SetCapacity set) {
      return "set the capacity to " + set.capacity();
    } else if (request instanceof Request.SetPaused set) {
      return set.paused() ? "pause" : "resume";
    } else if (request instanceof Request.ReadHold read) {
      return "read %s for %s".formatted(read.reservation(), read.user());
    } else if (request instanceof Request.ReadStatus) {
      return "read the status";
    } else if (request instanceof Request.ReadSlot) {
      return "read the slot";
    } else if (request instanceof Request.PassEnd pass) {
      return "%s ends at %d".formatted(pass.reservation(), pass.end());
    } else if (request instanceof Request.ShowRejection show) {
      return "show the rejection of " + show.requestId();
    }
    return "read the tables";
  }

  static String of(Answer answer) {
    if (answer instanceof Answer.Unknown unknown) {
      return "? " + unknown.why();
    } else if (answer instanceof Answer.Decided decided) {
      return "%s, %d seats, %d of %d reserved%s%s"
          .formatted(
              decided.accepted() ? "accepted" : "rejected",
              decided.seats(),
              decided.reserved(),
              decided.capacity(),
              decided.replayed() ? ", replayed" : "",
              decided.mismatch() ? ", mismatch" : "");
    } else if (answer instanceof Answer.Held held) {
      return held.end() == 0
          ? "held by a new id"
          : held instanceof Answer.SeatsHeld seats
              ? "held by %s until %d, %d seats%s%s"
                  .formatted(
                      held.reservation(),
                      held.end(),
                      seats.seats(),
                      seats.replayed() ? ", replayed" : "",
                      seats.mismatch() ? ", mismatch" : "")
              : "held by %s until %d".formatted(held.reservation(), held.end());
    } else if (answer instanceof Answer.Tables tables) {
      return ("tables: %d of %d reserved, %d for %d seats accepted, %d rejected,"
              + " reservations %s, holds %s")
          .formatted(
              tables.reserved(),
              tables.capacity(),
              tables.acceptedRequests(),
              tables.acceptedSeats(),
              tables.rejectedRequests(),
              new TreeMap<>(tables.reservations()),
              new TreeMap<>(tables.holds()));
    }
    return answer.toString();
  }
}

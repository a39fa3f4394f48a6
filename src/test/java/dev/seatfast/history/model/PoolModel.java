package dev.seatfast.history.model;

import dev.seatfast.history.model.PoolState.FirstDecision;
import dev.seatfast.history.recording.Answer;
import dev.seatfast.history.recording.Operation;
import dev.seatfast.history.recording.Request;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The rules of one pool, one request after another. */
public final class PoolModel {

  private final Terms terms;
  private final HoldModel holds;

  public PoolModel(Terms terms, Facts facts) {
    this.terms = terms;
    this.holds = new HoldModel(terms, facts);
  }

  /**
   * How a request can take effect on a pool in this state. Where the service is free to choose, as
   * it is in the id and the end of a new hold, the recorded answer is a way if the service could
   * have chosen it.
   *
   * @return none if the request can't take effect now
   */
  public List<Step> steps(PoolState state, Operation operation) {
    Request request = operation.request();
    if (request instanceof Request.Reserve reserve) {
      return reserve(state, reserve);
    } else if (request instanceof Request.Hold hold) {
      return holds.hold(state, hold, operation);
    } else if (request instanceof Request.Settle settle) {
      return holds.settle(state, settle, operation);
    } else if (request instanceof Request.SetCapacity set) {
      return List.of(setCapacity(state, set.capacity()));
    } else if (request instanceof Request.SetPaused set) {
      return List.of(new Step(new Answer.OpeningSet(), state.withPaused(set.paused())));
    } else if (request instanceof Request.PassEnd pass) {
      return holds.passEnd(state, pass);
    } else if (request instanceof Request.ShowRejection show) {
      return show(state, show.requestId());
    }
    return List.of(new Step(read(state, request), state));
  }

  private List<Step> reserve(PoolState state, Request.Reserve request) {
    FirstDecision first = state.decisions().get(request.requestId());
    if (state.paused() && (first == null || !first.shown())) {
      // Also after a rejection that nobody sees yet.
      return List.of(new Step(new Answer.Shut("PAUSED"), state));
    } else if (first != null && !first.shown()) {
      return List.of();
    } else if (first != null) {
      int reserved = terms.has(Rule.REPLAYS_TELL_FIRST_RESERVED) ? first.reserved() : state.taken();
      boolean mismatch = first.seats() != request.seats();
      return List.of(
          new Step(
              new Answer.Decided(
                  first.accepted(), first.seats(), state.capacity(), reserved, true, mismatch),
              state));
    }
    boolean accepted = state.hasRoomFor(request.seats());
    int reserved = state.taken() + (accepted ? request.seats() : 0);
    boolean shown = accepted || terms.has(Rule.REJECTIONS_COUNT_AT_ONCE);
    return List.of(
        new Step(
            new Answer.Decided(accepted, request.seats(), state.capacity(), reserved, false, false),
            state.deciding(
                request.requestId(),
                new FirstDecision(accepted, request.seats(), reserved, shown))));
  }

  private static List<Step> show(PoolState state, String requestId) {
    FirstDecision first = state.decisions().get(requestId);
    return first == null || first.shown()
        ? List.of()
        : List.of(new Step(new Answer.Happened(), state.deciding(requestId, first.show())));
  }

  private static Step setCapacity(PoolState state, int capacity) {
    return state.taken() <= capacity
        ? new Step(new Answer.CapacitySet(), state.withCapacity(capacity))
        : new Step(new Answer.CapacityRefused(), state);
  }

  private static Answer read(PoolState state, Request request) {
    if (request instanceof Request.ReadHold read) {
      return Optional.ofNullable(state.holds().get(read.reservation()))
          .filter(hold -> hold.user().equals(read.user()))
          .<Answer>map(hold -> new Answer.HoldSeen(hold.stage().name(), hold.seats(), hold.end()))
          .orElseGet(Answer.HoldMissing::new);
    } else if (request instanceof Request.ReadSlot) {
      return state.holds().values().stream()
          .filter(HoldState::stands)
          .findFirst()
          .map(PoolModel::slotSeen)
          .orElseGet(() -> new Answer.SlotSeen("FREE", 0));
    } else if (request instanceof Request.ReadTables) {
      return tables(state);
    }
    PoolState.Counts counts = state.counts();
    return new Answer.Status(
        state.capacity(),
        counts.taken(),
        counts.acceptedRequests(),
        counts.rejectedRequests(),
        counts.acceptedSeats());
  }

  private static Answer.SlotSeen slotSeen(HoldState hold) {
    boolean held = hold.stage() == HoldState.Stage.HELD;
    return new Answer.SlotSeen(hold.stage().name(), held ? hold.end() : 0);
  }

  private static Answer.Tables tables(PoolState state) {
    Map<String, Answer.ReservationRow> reservations = new HashMap<>();
    state
        .decisions()
        .forEach(
            (id, first) -> {
              if (first.shown()) {
                reservations.put(id, new Answer.ReservationRow(first.accepted(), first.seats()));
              }
            });
    Map<UUID, Answer.HoldRow> rows = new HashMap<>();
    state
        .holds()
        .forEach(
            (id, hold) ->
                rows.put(
                    id,
                    new Answer.HoldRow(
                        hold.user(),
                        hold.seats(),
                        hold.stage().name(),
                        hold.firstEnd(),
                        hold.end())));
    PoolState.Counts counts = state.counts();
    return new Answer.Tables(
        state.capacity(),
        counts.taken(),
        counts.acceptedRequests(),
        counts.rejectedRequests(),
        counts.acceptedSeats(),
        reservations,
        rows);
  }
}

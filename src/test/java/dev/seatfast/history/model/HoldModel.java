package dev.seatfast.history.model;

import dev.seatfast.history.model.HoldState.Stage;
import dev.seatfast.history.recording.Answer;
import dev.seatfast.history.recording.Operation;
import dev.seatfast.history.recording.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The rules of holds. */
final class HoldModel {

  private static final long MICROS_PER_MILLI = 1_000;
  private static final UUID SOME_ID = new UUID(0, 0);

  private final Terms terms;
  private final Facts facts;

  HoldModel(Terms terms, Facts facts) {
    this.terms = terms;
    this.facts = facts;
  }

  List<Step> hold(PoolState state, Request.Hold request, Operation operation) {
    Optional<Map.Entry<UUID, HoldState>> standing =
        state.holds().entrySet().stream()
            .filter(entry -> isOf(entry.getValue(), request) && entry.getValue().stands())
            .findFirst();
    if (standing.isPresent()) {
      UUID id = standing.get().getKey();
      return List.of(new Step(held(request, id, standing.get().getValue(), true), state));
    }
    if (state.paused()) {
      return List.of(new Step(new Answer.Shut("PAUSED"), state));
    }
    if (!state.hasRoomFor(request.seats())) {
      return List.of(new Step(new Answer.Refused(), state));
    }
    return make(state, request, operation);
  }

  private static boolean isOf(HoldState hold, Request.Hold request) {
    return hold.key().equals(request.key()) && hold.user().equals(request.user());
  }

  private List<Step> make(PoolState state, Request.Hold request, Operation operation) {
    List<Step> steps = new ArrayList<>();
    if (operation.answer() instanceof Answer.Held held) {
      long end = facts.firstEnd(held.reservation());
      if (held.end() == end && canBeMade(state, held.reservation(), end, operation)) {
        steps.add(made(state, request, held.reservation(), end));
      } else {
        steps.add(made(state, request, SOME_ID, 0));
      }
    } else if (operation.answered()) {
      steps.add(made(state, request, SOME_ID, 0));
    } else {
      for (UUID id : facts.madeBy(request)) {
        if (canBeMade(state, id, facts.firstEnd(id), operation)) {
          steps.add(made(state, request, id, facts.firstEnd(id)));
        }
      }
    }
    return steps;
  }

  private boolean canBeMade(PoolState state, UUID id, long end, Operation operation) {
    return !state.holds().containsKey(id)
        && end >= earliestEnd(operation)
        && end <= latestEnd(operation);
  }

  private static Step made(PoolState state, Request.Hold request, UUID id, long end) {
    HoldState hold =
        new HoldState(request.key(), request.user(), request.seats(), Stage.HELD, end, end);
    return new Step(held(request, id, hold, false), state.holding(id, hold));
  }

  private static Answer held(Request.Hold request, UUID id, HoldState hold, boolean replayed) {
    return request instanceof Request.HoldSlot
        ? new Answer.SlotHeld(id, hold.end())
        : new Answer.SeatsHeld(
            id, hold.end(), hold.seats(), replayed, hold.seats() != request.seats());
  }

  /** The end of a hold that is made at the very beginning of an operation. */
  private long earliestEnd(Operation operation) {
    long begin = operation.begin() + terms.clock().aheadMin();
    return Math.floorDiv(begin, MICROS_PER_MILLI) + terms.timeToLiveMillis();
  }

  /** The end of a hold that is made at the very end of an operation. */
  private long latestEnd(Operation operation) {
    if (operation.end() == Operation.NEVER) {
      return Long.MAX_VALUE;
    }
    long end = operation.end() + terms.clock().aheadMax();
    return Math.floorDiv(end, MICROS_PER_MILLI) + terms.timeToLiveMillis();
  }

  List<Step> settle(PoolState state, Request.Settle request, Operation operation) {
    HoldState hold = state.holds().get(request.reservation());
    if (hold == null) {
      return List.of(not("NOT_FOUND", state));
    }
    if (!hold.user().equals(request.user())) {
      return List.of(not("NOT_OWNER", state));
    }
    if (hold.stage() == Stage.EXPIRED) {
      return List.of(not("EXPIRED", state));
    }
    return switch (request.action()) {
      case CONFIRM -> {
        if (hold.stage() == Stage.CANCELLED) {
          yield List.of(not(request.contract() ? "EXPIRED" : "CANCELLED", state));
        }
        yield List.of(become(Stage.CONFIRMED, state, request.reservation(), hold));
      }
      case CANCEL -> List.of(become(Stage.CANCELLED, state, request.reservation(), hold));
      case EXTEND ->
          hold.stage() == Stage.HELD
              ? extend(state, request.reservation(), hold, operation)
              : List.of(not(hold.stage().name(), state));
    };
  }

  private static Step not(String reason, PoolState state) {
    return new Step(new Answer.NotSettled(reason), state);
  }

  private static Step become(Stage stage, PoolState state, UUID id, HoldState hold) {
    return new Step(
        new Answer.Settled(), hold.stage() == stage ? state : state.holding(id, hold.in(stage)));
  }

  private List<Step> extend(PoolState state, UUID id, HoldState hold, Operation operation) {
    long latest = hold.firstEnd() - terms.timeToLiveMillis() + terms.timeMaxMillis();
    if (hold.end() >= latest) {
      return List.of(not("TOO_LONG", state));
    }
    long min = Math.max(hold.end(), Math.min(latest, earliestEnd(operation)));
    long max = Math.max(hold.end(), Math.min(latest, latestEnd(operation)));
    if (operation.answered()) {
      long end = operation.answer() instanceof Answer.Extended extended ? extended.end() : min;
      return List.of(extended(state, id, hold, Math.max(min, Math.min(max, end))));
    }
    List<Step> steps = new ArrayList<>();
    for (long end : facts.endsAfter(id, hold.end())) {
      if (end >= min && end <= max) {
        steps.add(extended(state, id, hold, end));
      }
    }
    // An end that nobody saw never came to pass: a later one took its place. Which it was does not
    // matter, as long as it is between its neighbours.
    long unseen = hold.end() + 1;
    if (!facts.endsAfter(id, unseen).isEmpty()) {
      steps.add(extended(state, id, hold, unseen));
    }
    return steps;
  }

  private static Step extended(PoolState state, UUID id, HoldState hold, long end) {
    return new Step(
        new Answer.Extended(end), end == hold.end() ? state : state.holding(id, hold.until(end)));
  }

  /** An end that a hold was seen with comes to pass no earlier than the hold has it. */
  List<Step> passEnd(PoolState state, Request.PassEnd request) {
    HoldState hold = state.holds().get(request.reservation());
    if (hold == null || (hold.stage() == Stage.HELD && hold.end() < request.end())) {
      return List.of();
    }
    boolean ends = hold.stage() == Stage.HELD && hold.end() == request.end();
    return List.of(
        new Step(
            new Answer.Happened(),
            ends ? state.holding(request.reservation(), hold.in(Stage.EXPIRED)) : state));
  }
}

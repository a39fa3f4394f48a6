package dev.seatfast.history.checker;

import dev.seatfast.engine.Settlement.Action;
import dev.seatfast.history.recording.Answer;
import dev.seatfast.history.recording.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/** A right service in memory, one request at a time, written without a look at the model. */
final class SimulatedPool {

  static final long TIME_TO_LIVE = 40;
  static final long TIME_MAX = 100;

  private final Random random;
  private int capacity;
  private boolean paused;
  private final Map<String, Answer.Decided> decisions = new HashMap<>();
  private final Map<UUID, Held> holds = new LinkedHashMap<>();

  SimulatedPool(Random random, int capacity) {
    this.random = random;
    this.capacity = capacity;
  }

  private static final class Held {
    private final Request.Hold request;
    private final long firstEnd;
    private long end;
    private String stage = "HELD";

    Held(Request.Hold request, long end) {
      this.request = request;
      this.firstEnd = end;
      this.end = end;
    }

    String stage(long now) {
      return stage.equals("HELD") && end <= now ? "EXPIRED" : stage;
    }

    boolean takesSeats(long now) {
      return stage(now).equals("HELD") || stage(now).equals("CONFIRMED");
    }
  }

  /**
   * @param now in milliseconds
   */
  Answer ask(Request request, long now) {
    if (request instanceof Request.Reserve reserve) {
      return reserve(reserve, now);
    } else if (request instanceof Request.Hold hold) {
      return hold(hold, now);
    } else if (request instanceof Request.Settle settle) {
      return settle(settle, now);
    } else if (request instanceof Request.SetCapacity set) {
      if (taken(now) > set.capacity()) {
        return new Answer.CapacityRefused();
      }
      capacity = set.capacity();
      return new Answer.CapacitySet();
    } else if (request instanceof Request.SetPaused set) {
      paused = set.paused();
      return new Answer.OpeningSet();
    } else if (request instanceof Request.ReadHold read) {
      Held held = holds.get(read.reservation());
      return held == null || !held.request.user().equals(read.user())
          ? new Answer.HoldMissing()
          : new Answer.HoldSeen(held.stage(now), held.request.seats(), held.end);
    } else if (request instanceof Request.ReadSlot) {
      return slot(now);
    }
    return request instanceof Request.ReadTables ? tables(now) : status(now);
  }

  private Answer reserve(Request.Reserve request, long now) {
    Answer.Decided first = decisions.get(request.requestId());
    if (first != null) {
      return new Answer.Decided(
          first.accepted(),
          first.seats(),
          capacity,
          first.reserved(),
          true,
          first.seats() != request.seats());
    }
    if (paused) {
      return new Answer.Shut("PAUSED");
    }
    boolean accepted = taken(now) + request.seats() <= capacity;
    int reserved = accepted ? taken(now) + request.seats() : taken(now);
    Answer.Decided decided =
        new Answer.Decided(accepted, request.seats(), capacity, reserved, false, false);
    decisions.put(request.requestId(), decided);
    return decided;
  }

  private Answer hold(Request.Hold request, long now) {
    for (Map.Entry<UUID, Held> entry : holds.entrySet()) {
      Held held = entry.getValue();
      if (held.takesSeats(now)
          && held.request.key().equals(request.key())
          && held.request.user().equals(request.user())) {
        return held(request, entry.getKey(), held, true);
      }
    }
    if (paused) {
      return new Answer.Shut("PAUSED");
    }
    if (taken(now) + request.seats() > capacity) {
      return new Answer.Refused();
    }
    UUID id = new UUID(random.nextLong(), random.nextLong());
    Held made = new Held(request, now + TIME_TO_LIVE);
    holds.put(id, made);
    return held(request, id, made, false);
  }

  private static Answer held(Request.Hold request, UUID id, Held held, boolean replayed) {
    if (request instanceof Request.HoldSlot) {
      return new Answer.SlotHeld(id, held.end);
    }
    int seats = held.request.seats();
    return new Answer.SeatsHeld(id, held.end, seats, replayed, seats != request.seats());
  }

  private Answer settle(Request.Settle request, long now) {
    Held held = holds.get(request.reservation());
    if (held == null) {
      return new Answer.NotSettled("NOT_FOUND");
    } else if (!held.request.user().equals(request.user())) {
      return new Answer.NotSettled("NOT_OWNER");
    }
    String stage = held.stage(now);
    if (stage.equals("EXPIRED")) {
      return new Answer.NotSettled("EXPIRED");
    } else if (request.action() == Action.EXTEND) {
      return extend(held, now);
    } else if (request.action() == Action.CONFIRM && stage.equals("CANCELLED")) {
      return new Answer.NotSettled(request.contract() ? "EXPIRED" : "CANCELLED");
    }
    held.stage = request.action() == Action.CONFIRM ? "CONFIRMED" : "CANCELLED";
    return new Answer.Settled();
  }

  private static Answer extend(Held held, long now) {
    long latest = held.firstEnd - TIME_TO_LIVE + TIME_MAX;
    if (!held.stage.equals("HELD")) {
      return new Answer.NotSettled(held.stage);
    } else if (held.end >= latest) {
      return new Answer.NotSettled("TOO_LONG");
    }
    held.end = Math.max(held.end, Math.min(latest, now + TIME_TO_LIVE));
    return new Answer.Extended(held.end);
  }

  private Answer slot(long now) {
    for (Held held : holds.values()) {
      if (held.takesSeats(now)) {
        return new Answer.SlotSeen(held.stage, held.stage.equals("HELD") ? held.end : 0);
      }
    }
    return new Answer.SlotSeen("FREE", 0);
  }

  private int taken(long now) {
    int taken = acceptedDirectly().stream().mapToInt(Answer.Decided::seats).sum();
    for (Held held : holds.values()) {
      taken += held.takesSeats(now) ? held.request.seats() : 0;
    }
    return taken;
  }

  private List<Answer.Decided> acceptedDirectly() {
    return decisions.values().stream().filter(Answer.Decided::accepted).toList();
  }

  private Answer.Status status(long now) {
    List<Integer> seats = new ArrayList<>();
    acceptedDirectly().forEach(decided -> seats.add(decided.seats()));
    for (Held held : holds.values()) {
      if (held.stage.equals("CONFIRMED")) {
        seats.add(held.request.seats());
      }
    }
    return new Answer.Status(
        capacity,
        taken(now),
        seats.size(),
        decisions.size() - acceptedDirectly().size(),
        seats.stream().mapToInt(Integer::intValue).sum());
  }

  private Answer tables(long now) {
    Map<String, Answer.ReservationRow> reservations = new HashMap<>();
    decisions.forEach(
        (id, decided) ->
            reservations.put(id, new Answer.ReservationRow(decided.accepted(), decided.seats())));
    Map<UUID, Answer.HoldRow> rows = new HashMap<>();
    holds.forEach(
        (id, held) ->
            rows.put(
                id,
                new Answer.HoldRow(
                    held.request.user(),
                    held.request.seats(),
                    held.stage(now),
                    held.firstEnd,
                    held.end)));
    Answer.Status status = status(now);
    return new Answer.Tables(
        capacity,
        taken(now),
        status.acceptedRequests(),
        status.rejectedRequests(),
        status.acceptedSeats(),
        reservations,
        rows);
  }
}

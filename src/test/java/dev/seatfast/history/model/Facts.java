package dev.seatfast.history.model;

import dev.seatfast.history.recording.Answer;
import dev.seatfast.history.recording.ClockBounds;
import dev.seatfast.history.recording.Operation;
import dev.seatfast.history.recording.PoolHistory;
import dev.seatfast.history.recording.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * What a whole history tells about its holds: the ids and ends that the service chose. With them a
 * request whose answer was lost can take its place in the order. A hold that neither an answer nor
 * the tables ever show counts as never made.
 */
public final class Facts {

  private final Map<UUID, Request.Hold> asked = new HashMap<>();
  private final Map<UUID, Answer.HoldRow> rows = new HashMap<>();
  private final Map<UUID, NavigableSet<Long>> ends = new TreeMap<>();

  private Facts() {}

  public static Facts of(PoolHistory history) {
    Facts facts = new Facts();
    history.operations().forEach(facts::learn);
    return facts;
  }

  private void learn(Operation operation) {
    if (operation.answer() instanceof Answer.Held held
        && operation.request() instanceof Request.Hold hold) {
      asked.putIfAbsent(held.reservation(), hold);
      learnEnd(held.reservation(), held.end());
    } else if (operation.answer() instanceof Answer.Extended extended
        && operation.request() instanceof Request.Settle settle) {
      learnEnd(settle.reservation(), extended.end());
    } else if (operation.answer() instanceof Answer.HoldSeen seen
        && operation.request() instanceof Request.ReadHold read) {
      learnEnd(read.reservation(), seen.end());
    } else if (operation.answer() instanceof Answer.Tables tables) {
      rows.putAll(tables.holds());
      tables
          .holds()
          .forEach(
              (id, row) -> {
                learnEnd(id, row.firstEnd());
                learnEnd(id, row.end());
              });
    }
  }

  private void learnEnd(UUID reservation, long end) {
    ends.computeIfAbsent(reservation, id -> new TreeSet<>()).add(end);
  }

  /** The holds that a request can have made. */
  List<UUID> madeBy(Request.Hold request) {
    List<UUID> made = new ArrayList<>();
    for (UUID id : ends.keySet()) {
      Request.Hold first = asked.get(id);
      Answer.HoldRow row = rows.get(id);
      boolean fits =
          first != null
              ? first.key().equals(request.key()) && first.user().equals(request.user())
              : row != null && row.user().equals(request.user());
      if (fits && (row == null || row.seats() == request.seats())) {
        made.add(id);
      }
    }
    return made;
  }

  /** The end that a hold was made with. */
  long firstEnd(UUID reservation) {
    Answer.HoldRow row = rows.get(reservation);
    return row != null ? row.firstEnd() : ends.get(reservation).first();
  }

  /** The ends that a hold was ever seen with that come after another one. */
  NavigableSet<Long> endsAfter(UUID reservation, long end) {
    return ends.getOrDefault(reservation, new TreeSet<>()).tailSet(end, false);
  }

  /** One operation of nobody for each end that a hold was seen with. */
  public List<Operation> passingEnds(ClockBounds clock) {
    List<Operation> passing = new ArrayList<>();
    ends.forEach(
        (id, all) ->
            all.forEach(
                end ->
                    passing.add(
                        new Operation(
                            Integer.MAX_VALUE,
                            "the clock",
                            clock.earliest(end),
                            clock.latest(end),
                            new Request.PassEnd(id, end),
                            new Answer.Happened()))));
    return passing;
  }
}

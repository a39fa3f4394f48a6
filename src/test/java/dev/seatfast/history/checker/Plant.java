package dev.seatfast.history.checker;

import dev.seatfast.engine.Settlement;
import dev.seatfast.history.model.Terms;
import dev.seatfast.history.recording.Answer;
import dev.seatfast.history.recording.Operation;
import dev.seatfast.history.recording.PoolHistory;
import dev.seatfast.history.recording.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiPredicate;

/** Faults to plant into histories that are right: each makes one answer certainly wrong. */
public enum Plant {
  /** The tables have no row of a reservation that a client was told the decision of. */
  LOST_DECISION {
    @Override
    Answer other(PoolHistory history, Operation operation, Terms terms) {
      if (!(operation.answer() instanceof Answer.Tables tables)) {
        return null;
      }
      return before(history, operation, (told, later) -> told.answer() instanceof Answer.Decided)
          .map(told -> without(tables, ((Request.Reserve) told.request()).requestId()))
          .orElse(null);
    }
  },

  /** A request got seats that were not there. */
  OVERSELL {
    @Override
    Answer other(PoolHistory history, Operation operation, Terms terms) {
      return operation.answer() instanceof Answer.Decided d && !d.accepted() && !d.replayed()
          ? new Answer.Decided(
              true, d.seats(), d.capacity(), d.reserved() + d.seats(), false, false)
          : null;
    }
  },

  /** A request id was decided a second time. */
  FORGOTTEN_REPLAY {
    @Override
    Answer other(PoolHistory history, Operation operation, Terms terms) {
      return operation.answer() instanceof Answer.Decided d
              && d.replayed()
              && before(history, operation, Plant::sameId).isPresent()
          ? new Answer.Decided(d.accepted(), d.seats(), d.capacity(), d.reserved(), false, false)
          : null;
    }
  },

  /** A replay tells another count than the first answer did. */
  REPLAY_WITH_OTHER_RESERVED {
    @Override
    Answer other(PoolHistory history, Operation operation, Terms terms) {
      return operation.answer() instanceof Answer.Decided d
              && d.replayed()
              && before(history, operation, Plant::sameId).isPresent()
          ? new Answer.Decided(
              d.accepted(), d.seats(), d.capacity(), d.reserved() + 1, true, d.mismatch())
          : null;
    }
  },

  /** A replay tells another outcome than the first answer did. */
  REPLAY_WITH_OTHER_STATUS {
    @Override
    Answer other(PoolHistory history, Operation operation, Terms terms) {
      return operation.answer() instanceof Answer.Decided d
              && d.replayed()
              && before(history, operation, Plant::sameId).isPresent()
          ? new Answer.Decided(
              !d.accepted(), d.seats(), d.capacity(), d.reserved(), true, d.mismatch())
          : null;
    }
  },

  /** A client that was told a decision is told later that there is none, because of a pause. */
  FORGOTTEN_WHILE_PAUSED {
    @Override
    Answer other(PoolHistory history, Operation operation, Terms terms) {
      return operation.answer() instanceof Answer.Decided d
              && d.replayed()
              && before(history, operation, Plant::sameId).isPresent()
          ? new Answer.Shut("PAUSED")
          : null;
    }
  },

  /** A hold was confirmed after a client was told that it had expired. */
  EXPIRED_THEN_CONFIRMED {
    @Override
    Answer other(PoolHistory history, Operation operation, Terms terms) {
      return operation.request() instanceof Request.Settle settle
              && settle.action() == Settlement.Action.CONFIRM
              && isExpired(operation)
              && before(
                      history, operation, (told, later) -> isExpired(told) && sameHold(told, later))
                  .isPresent()
          ? new Answer.Settled()
          : null;
    }
  },

  /** A status counts a rejection of a request that was not sent yet. */
  STATUS_FROM_THE_FUTURE {
    @Override
    Answer other(PoolHistory history, Operation operation, Terms terms) {
      long asked =
          history.operations().stream()
              .filter(other -> other.begin() <= operation.end())
              .map(Plant::id)
              .filter(Objects::nonNull)
              .distinct()
              .count();
      return operation.answer() instanceof Answer.Status s ? withRejected(s, asked + 1) : null;
    }
  },

  /** A status does not count a rejection that a client was told before. */
  STALE_STATUS {
    @Override
    Answer other(PoolHistory history, Operation operation, Terms terms) {
      long told =
          history.operations().stream()
              .filter(other -> other.end() < operation.begin())
              .filter(other -> other.answer() instanceof Answer.Decided d && !d.accepted())
              .map(Plant::id)
              .distinct()
              .count();
      return operation.answer() instanceof Answer.Status s && told > 0
          ? withRejected(s, told - 1)
          : null;
    }
  },

  /** A slot was held by two users at once. */
  TWO_HOLDERS {
    @Override
    Answer other(PoolHistory history, Operation operation, Terms terms) {
      if (!(operation.request() instanceof Request.HoldSlot)
          || !(operation.answer() instanceof Answer.Refused)) {
        return null;
      }
      return before(history, operation, (told, later) -> standsDuring(history, told, later, terms))
          .map(told -> new Answer.SlotHeld(UUID.randomUUID(), endOfNew(operation, terms)))
          .orElse(null);
    }
  };

  private static final long MICROS_PER_MILLI = 1_000;

  /** A wrong answer for this operation, or null if this fault does not fit here. */
  abstract Answer other(PoolHistory history, Operation operation, Terms terms);

  /** The history with this fault in it, in the last operation where it fits. */
  public Optional<PoolHistory> into(PoolHistory history, Terms terms) {
    for (int i = history.operations().size() - 1; i >= 0; i--) {
      Operation operation = history.operations().get(i);
      Answer other = operation.answered() ? other(history, operation, terms) : null;
      if (other != null) {
        List<Operation> operations = new ArrayList<>(history.operations());
        operations.set(i, operation.answering(other));
        return Optional.of(history.with(operations));
      }
    }
    return Optional.empty();
  }

  private static Optional<Operation> before(
      PoolHistory history, Operation later, BiPredicate<Operation, Operation> fits) {
    return history.operations().stream()
        .filter(Operation::answered)
        .filter(told -> told.end() < later.begin())
        .filter(told -> fits.test(told, later))
        .findFirst();
  }

  private static String id(Operation operation) {
    return operation.request() instanceof Request.Reserve reserve ? reserve.requestId() : null;
  }

  private static boolean sameId(Operation told, Operation later) {
    return told.answer() instanceof Answer.Decided && id(told).equals(id(later));
  }

  private static boolean isExpired(Operation operation) {
    return operation.answer() instanceof Answer.NotSettled not && not.reason().equals("EXPIRED");
  }

  private static boolean sameHold(Operation told, Operation later) {
    return told.request() instanceof Request.Settle one
        && later.request() instanceof Request.Settle two
        && one.reservation().equals(two.reservation());
  }

  private static Answer.Tables without(Answer.Tables tables, String requestId) {
    Map<String, Answer.ReservationRow> rest = new HashMap<>(tables.reservations());
    rest.remove(requestId);
    return new Answer.Tables(
        tables.capacity(),
        tables.reserved(),
        tables.acceptedRequests(),
        tables.rejectedRequests(),
        tables.acceptedSeats(),
        rest,
        tables.holds());
  }

  private static Answer withRejected(Answer.Status status, long rejected) {
    return new Answer.Status(
        status.capacity(),
        status.reserved(),
        status.acceptedRequests(),
        rejected,
        status.acceptedSeats());
  }

  private static boolean standsDuring(
      PoolHistory history, Operation told, Operation later, Terms terms) {
    return told.answer() instanceof Answer.Held held
        && told.request() instanceof Request.Hold first
        && later.request() instanceof Request.Hold second
        && !first.user().equals(second.user())
        && later.end() < terms.clock().earliest(held.end())
        && history.operations().stream()
            .noneMatch(other -> cancels(other, held.reservation()) && other.begin() <= later.end());
  }

  private static boolean cancels(Operation operation, UUID reservation) {
    return operation.request() instanceof Request.Settle settle
        && settle.action() == Settlement.Action.CANCEL
        && settle.reservation().equals(reservation);
  }

  private static long endOfNew(Operation operation, Terms terms) {
    long begin = operation.begin() + terms.clock().aheadMin();
    return Math.floorDiv(begin, MICROS_PER_MILLI) + 1 + terms.timeToLiveMillis();
  }
}

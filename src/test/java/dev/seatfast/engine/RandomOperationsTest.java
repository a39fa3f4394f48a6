package dev.seatfast.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.database.Database;
import dev.seatfast.engine.Settlement.Action;
import dev.seatfast.engine.Settlement.Outcome;
import dev.seatfast.support.Client;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Thousands of random operations on few pools, beside a model of the rules in memory. */
@QuarkusTest
class RandomOperationsTest {

  private static final int OPERATIONS = 10_000;
  private static final int ROUND = 100;
  private static final int CAPACITY = 4;
  private static final Instant PAST = Instant.parse("2020-01-01T00:00:00Z");
  private static final Instant FUTURE = Instant.parse("2999-01-01T00:00:00Z");

  /** Open ones are more frequent. */
  private static final List<Opening> OPENINGS =
      List.of(
          Opening.ALWAYS,
          new Opening(PAST, null, false),
          new Opening(null, FUTURE, false),
          new Opening(PAST, FUTURE, false),
          new Opening(PAST, FUTURE, true),
          new Opening(FUTURE, null, false),
          new Opening(null, PAST, false));

  @Inject HoldEngine holds;
  @Inject ReservationEngine reservations;
  @Inject SeatPools pools;
  @Inject PoolOpenings openings;
  @Inject InvariantChecker invariants;
  @Inject Database database;

  @Test
  void oneByOneEveryAnswerIsTheModels() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < OPERATIONS; i += ROUND) { // pools fill up; new ones keep it interesting
      Map<PoolKey, Model> models = new HashMap<>();
      for (int n = 0; n < 3; n++) {
        models.put(PoolKey.ofWorkshop(Client.freshWorkshop()), new Model());
      }
      List<PoolKey> keys = new ArrayList<>(models.keySet());
      for (int n = 0; n < ROUND; n++) {
        PoolKey pool = keys.get(random.nextInt(keys.size()));
        step(random, pool, models.get(pool), "seed " + seed + ", step " + (i + n));
      }
      models.forEach(
          (pool, model) -> assertEquals(model.reserved(), pools.status(pool).reserved()));
    }
    assertEquals(List.of(), Invariants.disagreements(invariants));
  }

  private void step(Random random, PoolKey pool, Model model, String where) {
    String id = "request-" + random.nextInt(8);
    String user = "user-" + random.nextInt(2);
    int seats = 1 + random.nextInt(3);
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> {
        SeatRequest request = new SeatRequest(id, seats);
        assertEquals(model.reserve(request), join(reservations.reserve(pool, request)), where);
      }
      case 3, 4, 5, 6 -> {
        HoldRequest request = new HoldRequest(id, user, seats, UUID.randomUUID());
        HoldAnswer answer = join(holds.holdSeats(pool, request));
        Object got = answer instanceof HoldAnswer.Held held ? held.reservationId() : answer;
        assertEquals(model.hold(request), got, where);
      }
      case 7, 8 -> {
        Action action = Action.values()[random.nextInt(Action.values().length)];
        UUID reservation = model.someHold(random);
        Settlement settlement =
            join(holds.settle(pool, action, new Settlement.Request(reservation, user)));
        assertEquals(model.settle(action, reservation, user), settlement.outcome(), where);
      }
      case 9 -> {
        model.opening = OPENINGS.get(random.nextInt(OPENINGS.size()));
        openings.set(pool, model.opening, (session, before) -> {});
      }
      default -> {
        UUID reservation = model.someHold(random);
        model.expire(reservation);
        endHold(pool, reservation);
      }
    }
  }

  @Test
  void concurrentlyTheCountersStayRight() throws Exception {
    Random seeds = new Random();
    List<PoolKey> keys = new ArrayList<>();
    for (int n = 0; n < 6; n++) {
      keys.add(PoolKey.ofWorkshop(Client.freshWorkshop()));
    }
    List<Callable<Void>> clients = new ArrayList<>();
    for (int c = 0; c < 16; c++) {
      Random random = new Random(seeds.nextLong());
      clients.add(
          () -> {
            Map<PoolKey, List<UUID>> mine = new HashMap<>();
            for (int i = 0; i < OPERATIONS / 16; i++) {
              PoolKey pool = keys.get(random.nextInt(keys.size()));
              anything(random, pool, mine.computeIfAbsent(pool, p -> new ArrayList<>()));
            }
            return null;
          });
    }
    Client.atOnce(clients);
    assertEquals(List.of(), Invariants.disagreements(invariants));
    keys.forEach(pool -> assertTrue(pools.status(pool).reserved() <= CAPACITY));
  }

  private void anything(Random random, PoolKey pool, List<UUID> mine) {
    String id = "request-" + random.nextInt(200);
    UUID some = mine.isEmpty() ? UUID.randomUUID() : mine.get(random.nextInt(mine.size()));
    switch (random.nextInt(12)) {
      case 10 -> {
        Opening opening = OPENINGS.get(random.nextInt(OPENINGS.size()));
        openings.set(pool, opening, (session, before) -> {});
      }
      case 0 -> join(reservations.reserve(pool, new SeatRequest(id, 1 + random.nextInt(4))));
      case 1, 2, 3, 4 -> {
        HoldRequest request = new HoldRequest(id, "user", 1 + random.nextInt(2), UUID.randomUUID());
        if (join(holds.holdSeats(pool, request)) instanceof HoldAnswer.Held held) {
          mine.add(held.reservationId());
        }
      }
      case 5 -> endHold(pool, some);
      default -> {
        Action action = Action.values()[random.nextInt(Action.values().length)];
        join(holds.settle(pool, action, new Settlement.Request(some, "user")));
      }
    }
  }

  private void endHold(PoolKey pool, UUID reservation) {
    database.update(
        "UPDATE {schema}.reservation_attempt SET expires_at = clock_timestamp() - interval '1 ms'"
            + " WHERE pool_key = ? AND reservation_id = ? AND state = 'HELD'",
        parameters -> parameters.add(pool.value()).add(reservation));
    database.update(
        "UPDATE {schema}.seat_pool SET next_expiry = '-infinity' WHERE pool_key = ?",
        parameters -> parameters.add(pool.value()));
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  /** The rules of one pool, without a database, locks or batches. */
  private static final class Model {

    private enum State {
      HELD,
      CONFIRMED,
      CANCELLED,
      EXPIRED
    }

    private static final class Held {
      private final UUID id;
      private final String owner;
      private final int seats;
      private State state = State.HELD;

      Held(UUID id, String owner, int seats) {
        this.id = id;
        this.owner = owner;
        this.seats = seats;
      }

      boolean stands() {
        return state == State.HELD || state == State.CONFIRMED;
      }
    }

    private final Map<String, Decision> decisions = new HashMap<>();
    private final Map<String, Held> latest = new HashMap<>();
    private final Map<UUID, Held> all = new HashMap<>();
    private Opening opening = Opening.ALWAYS;

    int reserved() {
      int direct =
          decisions.values().stream()
              .filter(decision -> decision.outcome() == Decision.Outcome.ACCEPTED)
              .mapToInt(Decision::seats)
              .sum();
      return direct + all.values().stream().filter(Held::stands).mapToInt(h -> h.seats).sum();
    }

    /** Why it is shut, if it is. */
    private Optional<Shut> shut() {
      Shut.Reason reason = null;
      if (PAST.equals(opening.closesAt())) {
        reason = Shut.Reason.CLOSED;
      } else if (FUTURE.equals(opening.opensAt())) {
        reason = Shut.Reason.NOT_OPEN;
      } else if (opening.paused()) {
        reason = Shut.Reason.PAUSED;
      }
      return Optional.ofNullable(reason)
          .map(why -> new Shut(why, opening.opensAt(), opening.closesAt()));
    }

    SeatAnswer reserve(SeatRequest request) {
      Decision prior = decisions.get(request.requestId());
      if (prior != null) {
        return prior.replay();
      }
      if (shut().isPresent()) {
        return shut().get();
      }
      boolean fits = reserved() + request.seats() <= CAPACITY;
      Decision.Outcome outcome = fits ? Decision.Outcome.ACCEPTED : Decision.Outcome.REJECTED;
      int reserved = reserved() + (fits ? request.seats() : 0);
      Decision decision =
          new Decision(request.requestId(), request.seats(), outcome, CAPACITY, reserved, false);
      decisions.put(request.requestId(), decision);
      return decision;
    }

    /** Returns the id of the hold, or the answer why there is none. */
    Object hold(HoldRequest request) {
      Held last = latest.get(request.id());
      if (last != null && last.stands()) {
        return last.id;
      }
      if (shut().isPresent()) {
        return shut().get();
      }
      if (reserved() + request.seats() > CAPACITY) {
        return new HoldAnswer.Refused();
      }
      Held held = new Held(request.reservationId(), request.owner(), request.seats());
      latest.put(request.id(), held);
      all.put(held.id, held);
      return held.id;
    }

    UUID someHold(Random random) {
      List<UUID> ids = new ArrayList<>(all.keySet());
      return ids.isEmpty() ? UUID.randomUUID() : ids.get(random.nextInt(ids.size()));
    }

    Outcome settle(Action action, UUID id, String user) {
      Held held = all.get(id);
      if (held == null) {
        return Outcome.NOT_FOUND;
      }
      if (!held.owner.equals(user)) {
        return Outcome.NOT_OWNER;
      }
      if (held.state == State.EXPIRED) {
        return Outcome.EXPIRED;
      }
      switch (action) {
        case CONFIRM -> {
          if (held.state == State.CANCELLED) {
            return Outcome.CANCELLED;
          }
          held.state = State.CONFIRMED;
        }
        case CANCEL -> held.state = State.CANCELLED;
        case EXTEND -> {
          return held.state == State.HELD ? Outcome.DONE : Outcome.valueOf(held.state.name());
        }
      }
      return Outcome.DONE;
    }

    void expire(UUID id) {
      Held held = all.get(id);
      if (held != null && held.state == State.HELD) {
        held.state = State.EXPIRED;
      }
    }
  }
}

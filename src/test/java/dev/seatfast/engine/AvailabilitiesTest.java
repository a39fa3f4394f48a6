package dev.seatfast.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.database.Database;
import dev.seatfast.support.Client;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Whether what is shown is what is sold. */
@QuarkusTest
class AvailabilitiesTest {

  private static final Opening OVER =
      new Opening(null, Instant.parse("2020-01-01T00:00:00Z"), false);

  @Inject Availabilities availabilities;
  @Inject ReservationEngine reservations;
  @Inject HoldEngine holds;
  @Inject SlotGroups groups;
  @Inject PoolOpenings openings;
  @Inject Database database;

  @Test
  void aPoolThatNobodyUsedHasTheDefaultCapacityAndIsNotMade() {
    PoolKey pool = PoolKey.ofWorkshop(Client.freshWorkshop());
    assertEquals(
        List.of(new Availability(pool, 4, 4, Opening.ALWAYS, Optional.empty())),
        join(availabilities.read(List.of(pool))));
    boolean made =
        database.one(
            "SELECT EXISTS (SELECT FROM {schema}.seat_pool WHERE pool_key = ?)",
            parameters -> parameters.add(pool.value()),
            row -> row.getBoolean(1));
    assertFalse(made);
  }

  @Test
  void whatIsShownIsWhatTheNextDecisionGives() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<PoolKey> pools = new ArrayList<>();
    for (int i = 0; i < Availabilities.POOLS_MAX; i++) {
      PoolKey pool = PoolKey.ofWorkshop(Client.freshWorkshop());
      pools.add(pool);
      if (random.nextBoolean()) {
        hold(pool, "held", 1 + random.nextInt(2));
      }
      if (random.nextBoolean()) {
        reserve(pool, "taken", 1 + random.nextInt(2));
      }
      if (random.nextBoolean()) {
        HoldTime.letPass(database, pool);
      }
      if (random.nextInt(3) == 0) {
        openings.set(pool, OVER, (session, before) -> {});
      }
    }
    List<Availability> shown = join(availabilities.read(pools));
    assertEquals(pools, shown.stream().map(Availability::pool).toList());
    for (Availability one : shown) {
      if (one.shut().isPresent()) {
        assertEquals(
            new Shut(one.shut().get(), null, OVER.closesAt()), reserve(one.pool(), "a", 1));
      }
      openings.set(one.pool(), Opening.ALWAYS, (session, before) -> {});
      if (one.free() > 0) {
        assertTrue(accepted(reserve(one.pool(), "all", one.free())), "seed " + seed + ", " + one);
      }
      assertFalse(accepted(reserve(one.pool(), "more", 1)), "seed " + seed + ", " + one);
    }
  }

  @Test
  void allPoolsAreReadAtOneInstant() throws Exception {
    String resource = UUID.randomUUID().toString();
    List<PoolKey> slots = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      slots.add(PoolKey.ofSlot("t1", resource, Instant.parse("2026-12-01T0" + i + ":00:00Z")));
    }
    HoldAnswer.Held first = holdAll(slots, "first");
    settle(Settlement.Action.CANCEL, first); // so that the pools exist
    AtomicBoolean done = new AtomicBoolean();
    Callable<Integer> writer =
        () -> {
          for (int i = 0; i < 200; i++) {
            settle(Settlement.Action.CANCEL, holdAll(slots, "request-" + i));
          }
          done.set(true);
          return 0;
        };
    Callable<Integer> reader =
        () -> {
          int held = 0;
          while (!done.get()) {
            List<Integer> free =
                join(availabilities.read(slots)).stream()
                    .map(Availability::free)
                    .distinct()
                    .toList();
            assertEquals(1, free.size(), "a group is held as a whole or not at all");
            held += 1 - free.get(0);
          }
          return held;
        };
    List<Integer> seen = Client.atOnce(List.of(writer, reader, reader));
    assertTrue(seen.get(1) + seen.get(2) > 0, "no reader met a hold");
  }

  private HoldAnswer.Held holdAll(List<PoolKey> slots, String id) {
    return join(groups.hold(slots, new HoldRequest(id, "ann", 1, UUID.randomUUID()))).orElseThrow();
  }

  private void settle(Settlement.Action action, HoldAnswer.Held group) {
    join(groups.settle("t1", action, new Settlement.Request(group.reservationId(), "ann")));
  }

  private void hold(PoolKey pool, String id, int seats) {
    join(holds.holdSeats(pool, new HoldRequest(id, "ann", seats, UUID.randomUUID())));
  }

  private SeatAnswer reserve(PoolKey pool, String id, int seats) {
    return join(reservations.reserve(pool, new SeatRequest(id, seats)));
  }

  private static boolean accepted(SeatAnswer answer) {
    return answer instanceof Decision decision && decision.outcome() == Decision.Outcome.ACCEPTED;
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}

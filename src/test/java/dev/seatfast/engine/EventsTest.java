package dev.seatfast.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.database.Database;
import dev.seatfast.engine.Settlement.Action;
import dev.seatfast.support.Client;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

@QuarkusTest
@TestProfile(EventsTest.WithEvents.class)
class EventsTest {

  public static class WithEvents implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of("seatfast.events.enabled", "true");
    }
  }

  @Inject Events events;
  @Inject ReservationEngine reservations;
  @Inject HoldEngine holds;
  @Inject Sweep sweep;
  @Inject SeatPools pools;
  @Inject InvariantChecker invariants;
  @Inject Database database;

  private final PoolKey workshop = PoolKey.ofWorkshop(Client.freshWorkshop());

  @Test
  void everyTransitionLeavesOneEventInItsOrderAndNothingElseDoes() {
    reserve(workshop, "first", 1);
    reserve(workshop, "first", 1);
    UUID kept = hold("kept", 2);
    hold("kept", 2);
    reserve(workshop, "too-many", 2);
    settle(Action.EXTEND, kept);
    settle(Action.CONFIRM, kept);
    settle(Action.CONFIRM, kept);
    UUID lost = hold("lost", 1);
    endHolds();
    reserve(workshop, "second", 1);
    settle(Action.CONFIRM, lost);
    settle(Action.CANCEL, kept);
    Capacities.set(pools, workshop, 9);

    List<String> seen =
        eventsOf(workshop).stream()
            .map(e -> e.number() + " " + e.kind() + " " + e.requestId())
            .toList();
    assertEquals(
        List.of(
            "1 ACCEPTED first",
            "2 HELD kept",
            "3 REJECTED too-many",
            "4 EXTENDED kept",
            "5 CONFIRMED kept",
            "6 HELD lost",
            "7 EXPIRED lost",
            "8 ACCEPTED second",
            "9 CANCELLED kept",
            "10 CAPACITY_CHANGED "),
        seen);
    assertEquals(List.of(), Invariants.disagreements(invariants));
  }

  @Test
  void theSweepLeavesEventsToo() {
    hold("swept", 3);
    endHolds();
    Sweeps.all(sweep);
    List<Events.Event> seen = eventsOf(workshop);
    assertEquals(List.of("HELD", "EXPIRED"), seen.stream().map(Events.Event::kind).toList());
    assertEquals(3, seen.get(1).seats());
  }

  @Test
  void theSamePageAgainIsTheSamePage() {
    reserve(workshop, "first", 1);
    long before = lastPosition();
    reserve(workshop, "second", 1);
    reserve(workshop, "third", 1);
    List<Events.Event> page = events.page(before, 1);
    assertEquals(page, events.page(before, 1));
    assertEquals("second", page.get(0).requestId());
    assertEquals("third", events.page(page.get(0).position(), 1).get(0).requestId());
  }

  @Test
  void aReaderMissesNothingThatCommitsLate() {
    PoolKey other = PoolKey.ofWorkshop(Client.freshWorkshop());
    long start = lastPosition();
    List<Events.Event> seen = new ArrayList<>();
    database.inTransaction(
        session -> {
          session.list(
              "SELECT * FROM {schema}.reserve(?, 4, 0::smallint, ARRAY['late'], ARRAY[1], true, true)",
              parameters -> parameters.add(workshop.value()),
              row -> row);
          reserve(other, "early", 1); // decided after, committed before
          seen.addAll(events.page(start, 100));
          return null;
        });
    assertEquals(List.of("early"), seen.stream().map(Events.Event::requestId).toList());
    List<Events.Event> next = events.page(seen.get(0).position(), 100);
    assertEquals(List.of("late"), next.stream().map(Events.Event::requestId).toList());
  }

  @Test
  void whoFollowsDuringARushSeesEveryEventOnceAndEachPoolInItsOrder() throws Exception {
    long start = lastPosition();
    AtomicBoolean over = new AtomicBoolean();
    List<Events.Event> followed = new ArrayList<>();
    List<Callable<Void>> work = new ArrayList<>();
    work.add(
        () -> {
          long after = start;
          boolean last;
          do {
            last = over.get();
            List<Events.Event> page = events.page(after, 50);
            followed.addAll(page);
            after = page.isEmpty() ? after : page.get(page.size() - 1).position();
            last = last && page.isEmpty();
          } while (!last);
          return null;
        });
    List<Callable<Void>> rush = new ArrayList<>();
    for (int client = 0; client < 8; client++) {
      String name = "client-" + client;
      rush.add(
          () -> {
            for (int i = 0; i < 50; i++) {
              PoolKey pool =
                  PoolKey.ofWorkshop("follow-" + i % 5 + workshop.value().substring(3, 12));
              reserve(pool, name + "-" + i, 1);
            }
            return null;
          });
    }
    work.add(
        () -> {
          Client.atOnce(rush);
          over.set(true);
          return null;
        });
    Client.atOnce(work);
    assertEquals(400, followed.size());
    Set<String> requests = new HashSet<>();
    Map<String, Long> numbers = new HashMap<>();
    for (Events.Event event : followed) {
      assertTrue(requests.add(event.pool() + event.requestId()), "seen twice: " + event);
      assertEquals(numbers.merge(event.pool(), 1L, Long::sum), event.number(), "out of order");
    }
  }

  private long lastPosition() {
    long after = 0;
    for (List<Events.Event> page = events.page(after, 1000);
        !page.isEmpty();
        page = events.page(after, 1000)) {
      after = page.get(page.size() - 1).position();
    }
    return after;
  }

  private List<Events.Event> eventsOf(PoolKey pool) {
    List<Events.Event> mine = new ArrayList<>();
    long after = 0;
    for (List<Events.Event> page = events.page(after, 1000);
        !page.isEmpty();
        page = events.page(after, 1000)) {
      page.stream().filter(event -> event.pool().equals(pool.value())).forEach(mine::add);
      after = page.get(page.size() - 1).position();
    }
    return mine;
  }

  private void reserve(PoolKey pool, String id, int seats) {
    join(reservations.reserve(pool, new SeatRequest(id, seats)));
  }

  private UUID hold(String id, int seats) {
    HoldRequest request = new HoldRequest(id, "ann", seats, UUID.randomUUID());
    return ((HoldAnswer.Held) join(holds.holdSeats(workshop, request))).reservationId();
  }

  private void settle(Action action, UUID id) {
    join(holds.settle(workshop, action, new Settlement.Request(id, "ann")));
  }

  private void endHolds() {
    HoldTime.letPass(database, workshop);
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}

package dev.seatfast.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.seatfast.engine.Settlement.Action;
import dev.seatfast.engine.Settlement.Outcome;
import dev.seatfast.support.Client;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Random groups and single holds on few slots, beside a model that only knows who has which. */
@QuarkusTest
class RandomGroupsTest {

  private static final int ROUNDS = 40;
  private static final int STEPS_PER_ROUND = 50;

  @Inject SlotGroups groups;
  @Inject HoldEngine holds;
  @Inject SeatPools pools;
  @Inject InvariantChecker invariants;

  /** Slots that one client has: several as a group, or one. */
  private record Mine(UUID id, List<PoolKey> slots, boolean grouped) {}

  @Test
  void oneByOneEveryAnswerIsTheModels() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      String tenant = UUID.randomUUID().toString();
      List<PoolKey> slots = slots(tenant);
      Map<PoolKey, UUID> taken = new HashMap<>();
      List<Mine> standing = new ArrayList<>();
      for (int step = 0; step < STEPS_PER_ROUND; step++) {
        String where = "seed " + seed + ", round " + round + ", step " + step;
        if (standing.isEmpty() || random.nextInt(3) > 0) {
          boolean grouped = random.nextBoolean();
          List<PoolKey> wanted = some(random, slots, grouped ? 1 + random.nextInt(4) : 1);
          boolean free = wanted.stream().noneMatch(taken::containsKey);
          UUID got = hold(wanted, grouped, "key-" + step);
          assertEquals(free, got != null, where);
          if (got != null) {
            wanted.forEach(slot -> taken.put(slot, got));
            standing.add(new Mine(got, wanted, grouped));
          }
        } else {
          Mine mine = standing.get(random.nextInt(standing.size()));
          Action action = random.nextBoolean() ? Action.CANCEL : Action.CONFIRM;
          assertEquals(Outcome.DONE, settle(tenant, mine, action), where);
          if (action == Action.CANCEL) {
            standing.remove(mine);
            mine.slots().forEach(taken::remove);
          }
        }
        for (PoolKey slot : slots) {
          assertEquals(taken.containsKey(slot) ? 1 : 0, pools.status(slot).reserved(), where);
        }
      }
    }
    assertEquals(List.of(), Invariants.disagreements(invariants));
  }

  @Test
  void concurrentlyNoSlotIsHadTwiceAndNoGroupInPart() throws Exception {
    String tenant = UUID.randomUUID().toString();
    List<PoolKey> slots = slots(tenant);
    Random seeds = new Random();
    List<Callable<List<Mine>>> clients = new ArrayList<>();
    for (int c = 0; c < 16; c++) {
      Random random = new Random(seeds.nextLong());
      String name = "client-" + c + "-";
      clients.add(
          () -> {
            List<Mine> standing = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
              boolean grouped = random.nextBoolean();
              List<PoolKey> wanted = some(random, slots, grouped ? 1 + random.nextInt(4) : 1);
              UUID got = hold(wanted, grouped, name + i);
              if (got != null) {
                Mine mine = new Mine(got, wanted, grouped);
                assertEquals(Outcome.DONE, settle(tenant, mine, Action.CONFIRM));
                standing.add(mine);
              }
              if (!standing.isEmpty() && random.nextBoolean()) {
                Mine mine = standing.remove(random.nextInt(standing.size()));
                assertEquals(Outcome.DONE, settle(tenant, mine, Action.CANCEL));
              }
            }
            return standing;
          });
    }
    Map<PoolKey, UUID> owners = new HashMap<>();
    for (List<Mine> standing : Client.atOnce(clients)) {
      for (Mine mine : standing) {
        mine.slots().forEach(slot -> assertEquals(null, owners.put(slot, mine.id())));
      }
    }
    slots.forEach(
        slot -> assertEquals(owners.containsKey(slot) ? 1 : 0, pools.status(slot).reserved()));
    assertEquals(List.of(), Invariants.disagreements(invariants));
  }

  private UUID hold(List<PoolKey> slots, boolean grouped, String key) {
    HoldRequest request = new HoldRequest(key, "ann", 1, UUID.randomUUID());
    if (grouped) {
      return join(groups.hold(slots, request)).map(HoldAnswer.Held::reservationId).orElse(null);
    }
    return join(holds.holdSlot(slots.get(0), request)) instanceof HoldAnswer.Held held
        ? held.reservationId()
        : null;
  }

  private Outcome settle(String tenant, Mine mine, Action action) {
    Settlement.Request request = new Settlement.Request(mine.id(), "ann");
    return join(mine.grouped()
            ? groups.settle(tenant, action, request)
            : holds.settle(mine.slots().get(0), action, request))
        .outcome();
  }

  private static List<PoolKey> slots(String tenant) {
    List<PoolKey> slots = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      slots.add(PoolKey.ofSlot(tenant, "room-" + i, Instant.EPOCH));
    }
    return slots;
  }

  private static List<PoolKey> some(Random random, List<PoolKey> slots, int count) {
    List<PoolKey> shuffled = new ArrayList<>(slots);
    Collections.shuffle(shuffled, random);
    return shuffled.subList(0, count);
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}

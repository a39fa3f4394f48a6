package dev.seatfast.history.load;

import dev.seatfast.support.Client;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Some clients that share a few pools, so that they meet there. */
final class Team {

  private static final int POOLS = 3;
  private static final Instant SLOT_START = Instant.parse("2030-01-01T10:00:00Z");

  private final int defaultCapacity;
  private final List<LoadedPool> active = new ArrayList<>();
  private final List<LoadedPool> all = new ArrayList<>();

  /**
   * @param defaultCapacity of the service's workshops
   */
  Team(int defaultCapacity) {
    this.defaultCapacity = defaultCapacity;
  }

  /** One of the pools; a new one takes the place of one that is exhausted. */
  synchronized LoadedPool pick(Random random) {
    active.removeIf(LoadedPool::exhausted);
    while (active.size() < POOLS) {
      LoadedPool pool = newPool(random);
      active.add(pool);
      all.add(pool);
    }
    return active.get(random.nextInt(POOLS));
  }

  private LoadedPool newPool(Random random) {
    String name = Client.freshWorkshop();
    return random.nextInt(5) < 3
        ? new LoadedWorkshop(name, defaultCapacity)
        : new LoadedSlot("history", name, SLOT_START);
  }

  /** All pools that the team ever used. */
  synchronized List<LoadedPool> pools() {
    return List.copyOf(all);
  }
}

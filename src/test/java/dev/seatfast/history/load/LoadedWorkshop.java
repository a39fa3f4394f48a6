package dev.seatfast.history.load;

import dev.seatfast.engine.SeatRequest;
import dev.seatfast.history.recording.Request;
import java.util.Random;

/** A workshop under load. */
final class LoadedWorkshop extends LoadedPool {

  private static final int CAPACITY_STEP_MAX = 6;

  private int ids;
  private int keys;
  private int capacity;
  private boolean paused;

  LoadedWorkshop(String name, int defaultCapacity) {
    super(new Target.Workshop(name, defaultCapacity));
    this.capacity = defaultCapacity;
  }

  @Override
  Request choose(Random random) {
    if (paused && random.nextInt(6) == 0) {
      paused = false;
      return new Request.SetPaused(false);
    }
    int dice = random.nextInt(100);
    if (dice < 22) {
      return new Request.Reserve("id-" + ids++, seats(random));
    } else if (dice < 36) {
      return new Request.Reserve("id-" + Math.max(0, ids - 1 - random.nextInt(8)), seats(random));
    } else if (dice < 52) {
      return newHold(random);
    } else if (dice < 57) {
      return holdAgain(random, newHold(random));
    } else if (dice < 77) {
      return settle(random, false);
    } else if (dice < 82) {
      return readHold(random);
    } else if (dice < 86) {
      // Mostly upwards, because direct reservations never give a seat back.
      capacity = Math.max(0, capacity - 2 + random.nextInt(CAPACITY_STEP_MAX));
      return new Request.SetCapacity(capacity);
    } else if (dice < 89) {
      paused = true;
      return new Request.SetPaused(true);
    }
    return new Request.ReadStatus();
  }

  private Request newHold(Random random) {
    return new Request.HoldSeats("key-" + keys++ / 2, user(random), 1 + random.nextInt(2));
  }

  private static int seats(Random random) {
    return random.nextInt(3) > 0 ? 1 : 1 + random.nextInt(SeatRequest.SEATS_MAX);
  }
}

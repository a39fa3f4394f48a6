package dev.seatfast.history.load;

import dev.seatfast.history.recording.Request;
import java.time.Instant;
import java.util.Random;

/** A slot under load. */
final class LoadedSlot extends LoadedPool {

  private static final int KEYS = 3;

  LoadedSlot(String tenant, String resource, Instant start) {
    super(new Target.Slot(tenant, resource, start));
  }

  @Override
  Request choose(Random random) {
    int dice = random.nextInt(100);
    if (dice < 40) {
      return new Request.HoldSlot("key-" + random.nextInt(KEYS), user(random));
    } else if (dice < 46) {
      return holdAgain(random, new Request.HoldSlot("key-0", user(random)));
    } else if (dice < 58) {
      return settle(random, true);
    } else if (dice < 80) {
      return settle(random, false);
    } else if (dice < 90) {
      return readHold(random);
    }
    return new Request.ReadSlot();
  }
}

package dev.seatfast.database;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Short pauses of random length between tries, so that two that collided do not collide again. */
final class Pauses {

  private Pauses() {}

  /** Sleeps for 1 to {@code millisMax} milliseconds, or less if the thread is interrupted. */
  static void upTo(int millisMax) {
    try {
      TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(1, millisMax + 1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

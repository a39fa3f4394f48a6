package dev.seatfast.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimitTest {

  private final AtomicLong now = new AtomicLong(1);
  private final RateLimit limit =
      new RateLimit(
          2,
          5,
          new Ticker() {
            @Override
            long nanos() {
              return now.get();
            }
          });

  @Test
  void aCallerMayAskForSeveralSecondsWorthAtOnceAndThenAtItsRate() {
    for (int i = 0; i < 10; i++) {
      assertEquals(0, limit.take("a"));
    }
    assertEquals(1, limit.take("a"));
    now.addAndGet(Duration.ofMillis(500).toNanos());
    assertEquals(0, limit.take("a"));
    assertEquals(1, limit.take("a"));
    assertEquals(0, limit.take("b"));
  }

  @Test
  void whatIsGivenBackMayBeUsedAgainButNoMoreThanTheBurst() {
    for (int i = 0; i < 10; i++) {
      limit.take("a");
    }
    limit.giveBack("a");
    assertEquals(0, limit.take("a"));
    assertEquals(1, limit.take("a"));
    now.addAndGet(Duration.ofHours(1).toNanos());
    limit.giveBack("a");
    for (int i = 0; i < 10; i++) {
      assertEquals(0, limit.take("a"));
    }
    assertEquals(1, limit.take("a"));
  }

  @Test
  void manyCallersTakeBoundedMemory() {
    for (int i = 0; i < 50_000; i++) {
      limit.take("caller" + i);
    }
    assertTrue(limit.callers() <= 20_000);
  }
}

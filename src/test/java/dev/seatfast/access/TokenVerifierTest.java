package dev.seatfast.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.database.UnavailableException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is remembered of tokens, for how long, and how often the database is asked. */
class TokenVerifierTest {

  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger queries = new AtomicInteger();
  private final Map<String, ApiTokens.Valid> valid = new ConcurrentHashMap<>();
  private final AccessExecutor executor = new AccessExecutor();
  private final Ticker ticker =
      new Ticker() {
        @Override
        long nanos() {
          return now.get();
        }
      };
  private final TokenVerifier verifier =
      new TokenVerifier(
          token -> {
            queries.incrementAndGet();
            return Optional.ofNullable(valid.get(token.id()));
          },
          executor,
          ticker);
  private final TokenText token = fresh();

  @AfterEach
  void stop() {
    executor.stop();
  }

  @Test
  void aTokenIsLookedUpOnceInThirtySeconds() {
    allow(Optional.empty());
    assertTrue(verify(token));
    passes(Duration.ofSeconds(30).minusNanos(1));
    assertTrue(verify(token));
    assertEquals(1, queries.get());
    passes(Duration.ofNanos(1));
    assertTrue(verify(token));
    assertEquals(2, queries.get());
  }

  @Test
  void aRevokedTokenWorksForThirtySecondsAtMost() {
    allow(Optional.empty());
    assertTrue(verify(token));
    valid.clear();
    passes(Duration.ofSeconds(30));
    assertTrue(!verify(token));
  }

  @Test
  void aTokenEndsAtItsTimeThoughItIsRemembered() {
    allow(Optional.of(Duration.ofSeconds(2)));
    assertTrue(verify(token));
    valid.clear();
    passes(Duration.ofSeconds(2));
    assertTrue(!verify(token));
  }

  @Test
  void anUnknownTokenIsLookedUpAgainAfterFiveSeconds() {
    assertTrue(!verify(token));
    allow(Optional.empty());
    assertTrue(!verify(token));
    assertEquals(1, queries.get());
    passes(Duration.ofSeconds(5));
    assertTrue(verify(token));
  }

  @Test
  void madeUpTokensTakeBoundedMemoryAndPushNoRealOneOut() {
    allow(Optional.empty());
    assertTrue(verify(token));
    for (int i = 0; i < 25_000; i++) {
      verify(fresh());
    }
    assertTrue(verifier.remembered() <= 20_000);
    valid.clear();
    assertTrue(verify(token), "still remembered");
  }

  @Test
  void requestsWithTheSameTokenShareAQueryAndTooManyOthersAreRefused() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    TokenVerifier slow =
        new TokenVerifier(
            text -> {
              queries.incrementAndGet();
              await(answer);
              return Optional.empty();
            },
            executor,
            ticker);
    List<CompletableFuture<?>> waiting = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      waiting.add(slow.verify(token).toCompletableFuture());
    }
    assertTrue(waiting.stream().noneMatch(CompletableFuture::isDone));
    for (int i = 0; i < 1_001; i++) { // one more runs, a thousand wait
      waiting.add(slow.verify(fresh()).toCompletableFuture());
    }
    CompletionException refused =
        assertThrows(
            CompletionException.class, () -> slow.verify(fresh()).toCompletableFuture().join());
    assertEquals(
        UnavailableException.Reason.OVERLOADED,
        ((UnavailableException) refused.getCause()).reason());
    answer.countDown();
    waiting.forEach(CompletableFuture::join);
    assertEquals(1_002, queries.get());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TokenText fresh() {
    return TokenText.generate(new SecureRandom()).token();
  }

  private void allow(Optional<Duration> left) {
    Caller caller =
        new Caller("token:x", Optional.of("t1"), Optional.empty(), Set.of(Scope.RESERVE));
    valid.put(token.id(), new ApiTokens.Valid(caller, left));
  }

  private boolean verify(TokenText text) {
    return verifier.verify(text).toCompletableFuture().join().isPresent();
  }

  private void passes(Duration time) {
    now.addAndGet(time.toNanos());
  }
}

package dev.seatfast.access;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Tells who has an API token. It remembers what the database said, so that a revoked token works
 * for up to {@link #KNOWN_TIME_MAX} after its revocation was committed, in every process.
 */
@Singleton
class TokenVerifier {

  static final Duration KNOWN_TIME_MAX = Duration.ofSeconds(30);
  static final Duration UNKNOWN_TIME_MAX = Duration.ofSeconds(5);

  private static final int REMEMBERED_MAX = 10_000;

  private final Function<TokenText, Optional<ApiTokens.Valid>> find;
  private final AccessExecutor executor;
  private final Ticker ticker;

  /** By the hash of the whole text: no secret stays in memory. */
  private final BoundedCache<Sha256, Caller> known;

  /** Of unknown texts apart, so that made-up tokens push no real one out. */
  private final BoundedCache<Sha256, Boolean> unknown;

  /** Not more than the executor's queue holds. */
  private final Map<Sha256, CompletionStage<Optional<Caller>>> lookups = new ConcurrentHashMap<>();

  @Inject
  TokenVerifier(ApiTokens tokens, AccessExecutor executor, Ticker ticker) {
    this(tokens::find, executor, ticker);
  }

  TokenVerifier(
      Function<TokenText, Optional<ApiTokens.Valid>> find, AccessExecutor executor, Ticker ticker) {
    this.find = find;
    this.executor = executor;
    this.ticker = ticker;
    this.known = new BoundedCache<>(ticker, REMEMBERED_MAX);
    this.unknown = new BoundedCache<>(ticker, REMEMBERED_MAX);
  }

  /**
   * Finds who has a token. Requests with the same token share one query.
   *
   * @return empty for a token that is unknown, wrong, expired or revoked, all in the same way
   */
  CompletionStage<Optional<Caller>> verify(TokenText token) {
    Optional<Caller> remembered = known.get(token.hash());
    if (remembered.isPresent()) {
      return CompletableFuture.completedFuture(remembered);
    }
    if (unknown.get(token.hash()).isPresent()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    CompletableFuture<Optional<Caller>> mine = new CompletableFuture<>();
    CompletionStage<Optional<Caller>> earlier = lookups.putIfAbsent(token.hash(), mine);
    if (earlier != null) {
      return earlier;
    }
    executor
        .run(() -> look(token))
        .whenComplete(
            (caller, fault) -> {
              lookups.remove(token.hash());
              if (fault == null) {
                mine.complete(caller);
              } else {
                mine.completeExceptionally(fault);
              }
            });
    return mine;
  }

  private Optional<Caller> look(TokenText token) {
    long askedNanos = ticker.nanos(); // a revocation may commit while the query runs
    Optional<ApiTokens.Valid> found = find.apply(token);
    if (found.isEmpty()) {
      unknown.put(token.hash(), true, askedNanos, UNKNOWN_TIME_MAX);
      return Optional.empty();
    }
    Duration time =
        found
            .get()
            .left()
            .filter(left -> left.compareTo(KNOWN_TIME_MAX) < 0)
            .orElse(KNOWN_TIME_MAX);
    known.put(token.hash(), found.get().caller(), askedNanos, time);
    return Optional.of(found.get().caller());
  }

  /** How many tokens it remembers, right ones and wrong ones. */
  int remembered() {
    return known.size() + unknown.size();
  }
}

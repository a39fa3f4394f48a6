package dev.seatfast.access;

import dev.seatfast.database.UnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jboss.logging.Logger;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.lang.JoseException;

/**
 * The keys of the OpenID provider. They are fetched when a request first needs them, by one fetch
 * at a time, and are kept while the provider is down.
 */
final class IdentityKeys {

  /**
   * A key that the provider withdrew is trusted no longer than this, while the provider answers.
   */
  static final Duration FRESH_TIME_MAX = Duration.ofHours(1);

  /** How long the keys are good while the provider does not answer. */
  static final Duration KEPT_TIME_MAX = Duration.ofHours(24);

  /** Between two fetches because of keys that nobody knows, which strangers can make up. */
  static final Duration RENEWAL_PAUSE_MIN = Duration.ofSeconds(30);

  /** Between two fetches while there are no keys at all. */
  static final Duration RETRY_PAUSE_MIN = Duration.ofSeconds(2);

  private static final Logger LOG = Logger.getLogger(IdentityKeys.class);

  private final KeySource source;
  private final Ticker ticker;

  private Keys known;
  private CompletableFuture<List<JsonWebKey>> fetching;
  private long attemptedNanos;

  IdentityKeys(KeySource source, Ticker ticker) {
    this.source = source;
    this.ticker = ticker;
    this.attemptedNanos = ticker.nanos() - KEPT_TIME_MAX.toNanos();
  }

  private record Keys(List<JsonWebKey> keys, long fetchedNanos) {}

  /**
   * Returns the keys, which are fetched first if there are none.
   *
   * @return fails with {@link UnavailableException} if the provider has not answered for too long
   */
  synchronized CompletionStage<List<JsonWebKey>> current() {
    Duration age =
        known == null ? KEPT_TIME_MAX : Duration.ofNanos(ticker.nanos() - known.fetchedNanos());
    if (age.compareTo(KEPT_TIME_MAX) < 0) {
      if (age.compareTo(FRESH_TIME_MAX) >= 0 && attemptedBefore(RENEWAL_PAUSE_MIN)) {
        fetch(); // in the background
      }
      return CompletableFuture.completedFuture(known.keys());
    }
    if (fetching == null && !attemptedBefore(RETRY_PAUSE_MIN)) {
      return CompletableFuture.failedFuture(noKeys());
    }
    return fetch();
  }

  /** Returns the keys after one was missing: new ones, unless they were fetched a moment ago. */
  synchronized CompletionStage<List<JsonWebKey>> renewed() {
    if (fetching == null && !attemptedBefore(RENEWAL_PAUSE_MIN)) {
      return current();
    }
    return fetch().exceptionallyCompose(fault -> current());
  }

  private boolean attemptedBefore(Duration pause) {
    return ticker.nanos() - attemptedNanos >= pause.toNanos();
  }

  private CompletableFuture<List<JsonWebKey>> fetch() {
    if (fetching != null) {
      return fetching;
    }
    CompletableFuture<List<JsonWebKey>> mine = new CompletableFuture<>();
    fetching = mine;
    attemptedNanos = ticker.nanos();
    source
        .fetch()
        .thenApply(IdentityKeys::parse)
        .whenComplete((keys, fault) -> fetched(mine, keys, fault));
    return mine;
  }

  private void fetched(
      CompletableFuture<List<JsonWebKey>> mine, List<JsonWebKey> keys, Throwable fault) {
    synchronized (this) {
      fetching = null;
      if (fault == null) {
        known = new Keys(keys, attemptedNanos);
      }
    }
    if (fault == null) {
      mine.complete(keys);
    } else {
      LOG.warnf("The keys of the identities' issuer could not be fetched: %s", fault.getMessage());
      mine.completeExceptionally(noKeys());
    }
  }

  private static List<JsonWebKey> parse(String json) {
    try {
      return List.copyOf(new JsonWebKeySet(json).getJsonWebKeys());
    } catch (JoseException e) {
      throw new IllegalStateException("They are no JSON Web Key Set", e);
    }
  }

  private static UnavailableException noKeys() {
    return UnavailableException.unknown("The issuer of the identities does not answer");
  }
}

package dev.seatfast.access;

import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.NumericDate;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.jose4j.keys.resolvers.JwksVerificationKeyResolver;
import org.jose4j.lang.UnresolvableKeyException;

/**
 * Verifies signed identities (JWT). It is made when the first request brings one; then it fetches
 * the provider's keys.
 */
@Singleton
class IdentityVerifier {

  private static final int LEEWAY_SECONDS = 60;
  private static final int LENGTH_MAX = 8 * 1024;
  private static final int REMEMBERED_MAX = 10_000;

  /** However long a token is good: by then the keys were looked at again. */
  private static final Duration REMEMBERED_TIME_MAX = IdentityKeys.FRESH_TIME_MAX;

  private final AccessConfig.Identities config;
  private final IdentityClaims claims;
  private final IdentityKeys keys;
  private final AccessExecutor executor;
  private final Clock clock;
  private final Ticker ticker;
  private final BoundedCache<Sha256, Caller> known;

  @Inject
  IdentityVerifier(
      AccessConfig config, Vertx vertx, AccessExecutor executor, Clock clock, Ticker ticker) {
    this(config.identities(), source(config.identities(), vertx), executor, clock, ticker);
  }

  IdentityVerifier(
      AccessConfig.Identities config,
      KeySource source,
      AccessExecutor executor,
      Clock clock,
      Ticker ticker) {
    this.config = config;
    this.claims = new IdentityClaims(config);
    this.keys = new IdentityKeys(source, ticker);
    this.executor = executor;
    this.clock = clock;
    this.ticker = ticker;
    this.known = new BoundedCache<>(ticker, REMEMBERED_MAX);
  }

  /** Whether a credential is worth looking at. */
  static boolean looksLikeOne(String credential) {
    return credential.length() <= LENGTH_MAX
        && credential.chars().filter(c -> c == '.').count() == 2;
  }

  private static KeySource source(AccessConfig.Identities config, Vertx vertx) {
    return config
        .jwksUrl()
        .map(url -> KeySource.of(URI.create(url), vertx))
        .orElseGet(() -> KeySource.of(config.jwksFile().orElseThrow(), vertx));
  }

  /**
   * Finds whom a token identifies.
   *
   * @return empty for a token that is not valid; fails with {@link
   *     dev.seatfast.database.UnavailableException} if it cannot be told now
   */
  CompletionStage<Optional<Caller>> verify(String token) {
    if (!looksLikeOne(token)) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    Sha256 hash = Sha256.of(token);
    Optional<Caller> remembered = known.get(hash);
    if (remembered.isPresent()) {
      return CompletableFuture.completedFuture(remembered);
    }
    return keys.current()
        .thenCompose(current -> executor.run(() -> verify(token, hash, current)))
        .thenCompose(
            result ->
                result.keyMissing()
                    ? keys.renewed()
                        .thenCompose(newer -> executor.run(() -> verify(token, hash, newer)))
                    : CompletableFuture.completedFuture(result))
        .thenApply(Result::caller);
  }

  private record Result(Optional<Caller> caller, boolean keyMissing) {

    private static final Result INVALID = new Result(Optional.empty(), false);
    private static final Result KEY_MISSING = new Result(Optional.empty(), true);
  }

  private Result verify(String token, Sha256 hash, List<JsonWebKey> trusted) {
    try {
      JwtClaims verified = check(token, trusted);
      Optional<Caller> caller = claims.caller(verified.getClaimsMap());
      Duration left =
          Duration.ofMillis(verified.getExpirationTime().getValueInMillis() - clock.millis());
      caller.ifPresent(
          found ->
              known.put(
                  hash,
                  found,
                  ticker.nanos(),
                  left.compareTo(REMEMBERED_TIME_MAX) < 0 ? left : REMEMBERED_TIME_MAX));
      return new Result(caller, false);
    } catch (InvalidJwtException e) {
      return e.getCause() instanceof UnresolvableKeyException ? Result.KEY_MISSING : Result.INVALID;
    } catch (MalformedClaimException e) {
      return Result.INVALID;
    }
  }

  private JwtClaims check(String token, List<JsonWebKey> trusted) throws InvalidJwtException {
    JwksVerificationKeyResolver resolver = new JwksVerificationKeyResolver(trusted);
    resolver.setDisambiguateWithVerifySignature(true);
    return new JwtConsumerBuilder()
        .setVerificationKeyResolver(resolver)
        .setJwsAlgorithmConstraints(
            new AlgorithmConstraints(
                ConstraintType.PERMIT, config.algorithms().toArray(String[]::new)))
        .setExpectedIssuer(config.issuer().orElseThrow())
        .setExpectedAudience(config.audience().orElseThrow())
        .setRequireSubject()
        .setRequireExpirationTime()
        .setAllowedClockSkewInSeconds(LEEWAY_SECONDS)
        .setEvaluationTime(NumericDate.fromMilliseconds(clock.millis()))
        .build()
        .processToClaims(token);
  }
}

package dev.seatfast.access;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Tells who sent a request, by its {@code Authorization} header. */
@Singleton
class Authenticator {

  private static final String SCHEME = "Bearer ";

  private static final CompletionStage<Optional<Caller>> NOBODY =
      CompletableFuture.completedFuture(Optional.empty());

  private final AccessConfig config;
  private final InternalToken internal;

  /** Made when they are first needed: most services need at most one of them. */
  private final Provider<TokenVerifier> tokens;

  private final Provider<IdentityVerifier> identities;

  Authenticator(
      AccessConfig config,
      InternalToken internal,
      Provider<TokenVerifier> tokens,
      Provider<IdentityVerifier> identities) {
    this.config = config;
    this.internal = internal;
    this.tokens = tokens;
    this.identities = identities;
  }

  /**
   * Finds the credential of a request.
   *
   * @return empty if there is none, or several
   */
  static Optional<String> credential(MultiMap headers) {
    List<String> values = headers.getAll(HttpHeaders.AUTHORIZATION);
    return values.size() == 1 ? bearer(values.get(0)) : Optional.empty();
  }

  static Optional<String> bearer(String authorization) {
    return authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        ? Optional.of(authorization.substring(SCHEME.length()))
        : Optional.empty();
  }

  /**
   * Finds whose credential it is. The token of the configuration counts in every mode.
   *
   * @return empty for a credential that is not valid, in whatever way; fails if it cannot be told
   */
  CompletionStage<Optional<Caller>> authenticate(String credential) {
    if (internal.is(credential)) {
      return CompletableFuture.completedFuture(Optional.of(Caller.OPERATOR));
    }
    if (credential.startsWith(TokenText.PREFIX)) {
      return config.access().takesTokens()
          ? TokenText.parse(credential).map(token -> tokens.get().verify(token)).orElse(NOBODY)
          : NOBODY;
    }
    return config.access().takesIdentities() && IdentityVerifier.looksLikeOne(credential)
        ? identities.get().verify(credential)
        : NOBODY;
  }
}

package dev.seatfast.access;

import dev.seatfast.support.OpenIdProvider;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.lang.JoseException;

/** Makes credentials for tests of a service that is closed. */
@Singleton
public class Credentials {

  private final ApiTokens tokens;

  Credentials(ApiTokens tokens) {
    this.tokens = tokens;
  }

  /**
   * @param tenant null for none
   */
  String token(String tenant, Scope... scopes) {
    return create(tenant, Optional.empty(), scopes).text();
  }

  String expired(String tenant, Scope... scopes) {
    return create(tenant, Optional.of(Instant.now().minusSeconds(1)), scopes).text();
  }

  String revoked(String tenant, Scope... scopes) {
    ApiTokens.Created token = create(tenant, Optional.empty(), scopes);
    tokens.revoke(Caller.OPERATOR, token.token().id());
    return token.text();
  }

  private ApiTokens.Created create(String tenant, Optional<Instant> expires, Scope... scopes) {
    return tokens
        .create(
            Caller.OPERATOR,
            new ApiToken.Grant(
                Optional.ofNullable(tenant), Optional.empty(), Set.of(scopes), expires, "test"))
        .orElseThrow();
  }

  String identity(String user, String tenant, String scopes) {
    String key = ConfigProvider.getConfig().getValue(ClosedProfile.SIGNING_KEY, String.class);
    try {
      return OpenIdProvider.sign(
          OpenIdProvider.claims(user, Map.of("tenant", tenant, "scope", scopes)),
          "ES256",
          PublicJsonWebKey.Factory.newPublicJwk(key));
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }
}

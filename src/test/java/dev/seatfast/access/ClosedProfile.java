package dev.seatfast.access;

import dev.seatfast.support.OpenIdProvider;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTestProfile;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.PublicJsonWebKey;

/** A service that takes API tokens and the identities of a provider on the loopback address. */
public class ClosedProfile implements QuarkusTestProfile {

  /** Has the provider's key, with which tests sign. */
  static final String SIGNING_KEY = "test.signing-key";

  @Override
  public Map<String, String> getConfigOverrides() {
    return Map.of(
        "seatfast.access", "both",
        "seatfast.metrics.public", "false",
        "seatfast.events.enabled", "true",
        "seatfast.identities.issuer", OpenIdProvider.ISSUER,
        "seatfast.identities.audience", OpenIdProvider.AUDIENCE,
        "seatfast.identities.tenant-claim", "tenant");
  }

  @Override
  public List<TestResourceEntry> testResources() {
    return List.of(new TestResourceEntry(Provider.class));
  }

  /** Runs the provider. */
  public static class Provider implements QuarkusTestResourceLifecycleManager {

    private OpenIdProvider provider;

    @Override
    public Map<String, String> start() {
      try {
        provider = new OpenIdProvider();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
      PublicJsonWebKey key = provider.add(OpenIdProvider.ecKey("key"));
      return Map.of(
          "seatfast.identities.jwks-url",
          provider.url().toString(),
          SIGNING_KEY,
          key.toJson(OutputControlLevel.INCLUDE_PRIVATE));
    }

    @Override
    public void stop() {
      provider.close();
    }
  }
}

package dev.seatfast.access;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks the settings about access before anything starts. */
public final class AccessSettings {

  private static final Set<String> ALGORITHMS = Set.of("RS256", "PS256", "ES256", "EdDSA");
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final int RATE_MAX = 1_000_000;
  private static final int BURST_SECONDS_MAX = 3_600;

  private AccessSettings() {}

  /**
   * @throws IllegalArgumentException that names the first setting that cannot work, and why
   */
  public static void check(AccessConfig config) {
    AccessConfig.Limits limits = config.limits();
    range("seatfast.limits.per-caller", limits.perCaller(), 0, RATE_MAX);
    range("seatfast.limits.per-address", limits.perAddress(), 0, RATE_MAX);
    range("seatfast.limits.burst-seconds", limits.burstSeconds(), 1, BURST_SECONDS_MAX);
    if (config.access().takesIdentities()) {
      check(config.identities());
    }
  }

  private static void check(AccessConfig.Identities identities) {
    needed("issuer", identities.issuer());
    needed("audience", identities.audience());
    if (identities.jwksUrl().isPresent() == identities.jwksFile().isPresent()) {
      throw new IllegalArgumentException(
          "Identities need either seatfast.identities.jwks-url or seatfast.identities.jwks-file");
    }
    identities.jwksUrl().ifPresent(AccessSettings::checkUrl);
    identities
        .jwksFile()
        .filter(file -> !Files.isReadable(file))
        .ifPresent(
            file -> {
              throw new IllegalArgumentException(
                  "seatfast.identities.jwks-file names no readable file: " + file);
            });
    if (identities.algorithms().isEmpty() || !ALGORITHMS.containsAll(identities.algorithms())) {
      throw new IllegalArgumentException(
          "seatfast.identities.algorithms must be some of RS256, PS256, ES256 and EdDSA, but is "
              + String.join(",", identities.algorithms()));
    }
    if (identities.tenant().isPresent() && identities.tenantClaim().isPresent()) {
      throw new IllegalArgumentException(
          "seatfast.identities.tenant and seatfast.identities.tenant-claim exclude each other");
    }
    for (String scope : identities.scopes().orElse(List.of())) {
      if (Scope.of(scope).isEmpty()) {
        throw new IllegalArgumentException(
            "seatfast.identities.scopes has an unknown scope: " + scope);
      }
    }
  }

  private static void checkUrl(String text) {
    try {
      URI url = new URI(text);
      boolean local = "http".equals(url.getScheme()) && LOOPBACK.contains(url.getHost());
      if (url.getHost() != null && ("https".equals(url.getScheme()) || local)) {
        return;
      }
    } catch (URISyntaxException e) {
      // Said below, like another scheme.
    }
    throw new IllegalArgumentException(
        "seatfast.identities.jwks-url must be an https URL, but is " + text);
  }

  private static void needed(String name, Optional<String> value) {
    if (value.isEmpty()) {
      throw new IllegalArgumentException(
          "seatfast.access=identities or both needs seatfast.identities." + name);
    }
  }

  private static void range(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "%s must be from %d to %d, but is %d".formatted(name, min, max, value));
    }
  }
}

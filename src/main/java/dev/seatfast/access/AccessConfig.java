package dev.seatfast.access;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Settings about who may do what. {@link AccessSettings} has their ranges. */
@ConfigMapping(prefix = "seatfast")
public interface AccessConfig {

  /** Which credentials open the service. */
  @WithDefault("open")
  AccessMode access();

  /**
   * Bearer token of the operator who makes the first API tokens. It allows everything, in every
   * mode.
   */
  Optional<String> internalToken();

  /** Signed identities (JWT) of an OpenID provider. */
  Identities identities();

  /** Limits on how often callers may ask. */
  Limits limits();

  /** Who may read the metrics. */
  Metrics metrics();

  /** Who may read the metrics. */
  interface Metrics {

    /** Everybody; otherwise only operators. */
    @WithName("public")
    @WithDefault("false")
    boolean open();
  }

  /** Signed identities (JWT) of an OpenID provider. */
  interface Identities {

    /** The provider: what a token's {@code iss} must be. */
    Optional<String> issuer();

    /** This service: what a token's {@code aud} must contain. */
    Optional<String> audience();

    /** Where the provider publishes its keys; https, unless it is on this machine. */
    Optional<String> jwksUrl();

    /** A file with the provider's keys, instead of the URL. */
    Optional<Path> jwksFile();

    /** The signatures that are trusted: some of RS256, PS256, ES256 and EdDSA. */
    @WithDefault("RS256,PS256,ES256,EdDSA")
    List<String> algorithms();

    /** The claim that is the user's id. */
    @WithDefault("sub")
    String userClaim();

    /** The claim that is the tenant. */
    Optional<String> tenantClaim();

    /** The tenant of every identity, instead of a claim. */
    Optional<String> tenant();

    /** The claim with the scopes: a text with spaces between them, or a list. */
    @WithDefault("scope")
    String scopesClaim();

    /** What the names of our scopes begin with in the claim; others are ignored. */
    @WithDefault("")
    Optional<String> scopePrefix();

    /** Scopes that every identity has. */
    Optional<List<String>> scopes();
  }

  /** Limits on how often callers may ask; approximate, and of each process. */
  interface Limits {

    /** Requests per second of one credential; 0 is no limit. */
    @WithDefault("0")
    int perCaller();

    /** Requests per second from one address; 0 is no limit. */
    @WithDefault("0")
    int perAddress();

    /** For how many seconds' worth of requests a caller may ask at once. */
    @WithDefault("10")
    int burstSeconds();
  }
}

package dev.seatfast.access;

import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Checks the bearer token of the configuration, {@code seatfast.internal-token}. */
@Singleton
public class InternalToken {

  private final AccessConfig config;

  InternalToken(AccessConfig config) {
    this.config = config;
  }

  /**
   * Whether a header has the token.
   *
   * @param authorization the header, null if there is none
   */
  public boolean isIn(String authorization) {
    return authorization != null
        && Authenticator.bearer(authorization).filter(this::is).isPresent();
  }

  /** It takes as long for a token that is nearly right as for any other. */
  boolean is(String credential) {
    return config
        .internalToken()
        .map(token -> token.getBytes(StandardCharsets.UTF_8))
        .filter(token -> MessageDigest.isEqual(token, credential.getBytes(StandardCharsets.UTF_8)))
        .isPresent();
  }
}

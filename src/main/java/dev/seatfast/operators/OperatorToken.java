package dev.seatfast.operators;

import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Checks the operators' bearer token. */
@Singleton
public class OperatorToken {

  private static final String SCHEME = "Bearer ";

  private final OperatorConfig config;

  OperatorToken(OperatorConfig config) {
    this.config = config;
  }

  /**
   * Whether a request may see the routes for operators. It takes as long for a token that is nearly
   * right as for any other.
   *
   * @param authorization the header, null if there is none
   */
  public boolean isIn(String authorization) {
    return authorization != null
        && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        && config
            .internalToken()
            .map(token -> token.getBytes(StandardCharsets.UTF_8))
            .filter(
                token ->
                    MessageDigest.isEqual(
                        token,
                        authorization.substring(SCHEME.length()).getBytes(StandardCharsets.UTF_8)))
            .isPresent();
  }
}

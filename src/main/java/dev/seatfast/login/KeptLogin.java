package dev.seatfast.login;

import java.time.Instant;
import java.util.Optional;

/**
 * What a login leaves on this machine.
 *
 * @param url the service's
 * @param token what its requests bring along
 * @param expiresAt when the provider said that it ends; empty if it did not say
 * @param renewal how to get the next one; empty if the provider gave no way
 */
record KeptLogin(String url, String token, Optional<Instant> expiresAt, Optional<Renewal> renewal) {

  /**
   * How to get a token without asking the person again.
   *
   * @param endpoint of the provider
   * @param clientId this program's name there
   * @param refreshToken a secret
   */
  record Renewal(String endpoint, String clientId, String refreshToken) {

    /** The secret stays out of logs. */
    @Override
    public String toString() {
      return "Renewal at " + endpoint;
    }
  }

  /** The secrets stay out of logs. */
  @Override
  public String toString() {
    return "Login of " + url;
  }

  /** Whether it ends within half a minute, or has ended. */
  boolean endsSoon(Instant now) {
    return expiresAt.map(end -> end.isBefore(now.plusSeconds(30))).orElse(false);
  }
}

package dev.seatfast.access;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * An API token as operators see it: everything but its secret.
 *
 * @param id what the token's text has after {@code sf_}
 * @param grant what it allows
 * @param revokedAt when it was revoked, if it was
 */
public record ApiToken(String id, Grant grant, Instant createdAt, Optional<Instant> revokedAt) {

  /** The longest note, in characters. */
  public static final int NOTE_LENGTH_MAX = 200;

  /** Whether a text has the form of an id. */
  public static boolean isId(String text) {
    return TokenText.ID.matcher(text).matches();
  }

  /**
   * What a token allows.
   *
   * @param tenant whose workshops and slots; empty for the workshops that belong to no tenant
   * @param userId the only user whom it acts for; empty for every user
   * @param scopes at least one
   * @param expiresAt when it ends by itself, if it does
   * @param note for people, up to {@value #NOTE_LENGTH_MAX} characters
   */
  public record Grant(
      Optional<String> tenant,
      Optional<String> userId,
      Set<Scope> scopes,
      Optional<Instant> expiresAt,
      String note) {

    public Grant {
      scopes = Set.copyOf(scopes);
    }

    /** Whether it allows nothing that a caller may not do itself. */
    boolean isWithin(Caller caller) {
      return caller.reaches(tenant)
          && caller.scopes().containsAll(scopes)
          && (caller.userId().isEmpty()
              || caller.userId().equals(userId)
              || caller.may(Scope.ACT_FOR));
    }
  }
}

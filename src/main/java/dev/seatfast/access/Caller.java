package dev.seatfast.access;

import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The program or person that a request comes from, and what it may do.
 *
 * @param name tells callers apart in the audit and in the limits; never a secret
 * @param tenant whose workshops and slots it may use; empty for what belongs to no tenant
 * @param userId the only user whom it acts for; empty if it may act for every user
 * @param scopes what it may do
 * @param expiresAt when its credential ends by itself; empty if it does not
 */
public record Caller(
    String name,
    Optional<String> tenant,
    Optional<String> userId,
    Set<Scope> scopes,
    Optional<Instant> expiresAt) {

  /** Of a service that asks for no credential, and leaves it to its platform who gets in. */
  static final Caller ANYBODY =
      new Caller(
          "anybody",
          Optional.empty(),
          Optional.empty(),
          Set.of(Scope.RESERVE, Scope.HOLD, Scope.READ, Scope.ACT_FOR, Scope.ANY_TENANT));

  /** The operator with the token of the configuration. */
  static final Caller OPERATOR =
      new Caller("internal-token", Optional.empty(), Optional.empty(), EnumSet.allOf(Scope.class));

  private static final int NAME_LENGTH_MAX = 128;

  private static final String KEY = "seatfast.caller";

  /** A caller whose credential does not end by itself. */
  Caller(String name, Optional<String> tenant, Optional<String> userId, Set<Scope> scopes) {
    this(name, tenant, userId, scopes, Optional.empty());
  }

  public Caller {
    Objects.requireNonNull(name);
    scopes = Set.copyOf(scopes);
  }

  /**
   * The operator at the command line, whom the database let in.
   *
   * @param user of the operating system
   */
  public static Caller ofCommandLine(String user) {
    String name = user.length() > NAME_LENGTH_MAX ? user.substring(0, NAME_LENGTH_MAX) : user;
    return new Caller(
        "command-line:" + name, Optional.empty(), Optional.empty(), EnumSet.allOf(Scope.class));
  }

  /** Returns the caller of a request that {@link AccessFilter} let pass. */
  public static Caller of(RoutingContext context) {
    Caller caller = context.get(KEY);
    if (caller == null) {
      throw new ApiException(ApiError.FORBIDDEN);
    }
    return caller;
  }

  void attachTo(RoutingContext context) {
    context.put(KEY, this);
  }

  public boolean may(Scope scope) {
    return scopes.contains(scope);
  }

  /**
   * @param wanted the tenant; empty for what belongs to none
   */
  public boolean reaches(Optional<String> wanted) {
    return may(Scope.ANY_TENANT) || tenant.equals(wanted);
  }

  /** Whether it may act for a user. */
  boolean actsFor(String wanted) {
    return userId.isEmpty() || userId.get().equals(wanted) || may(Scope.ACT_FOR);
  }

  /**
   * Checks a tenant that a request names. Whether the tenant exists makes no difference.
   *
   * @throws ApiException {@link ApiError#FORBIDDEN} if the caller does not reach it
   */
  public void requireTenant(String wanted) {
    if (!reaches(Optional.of(wanted))) {
      throw new ApiException(ApiError.FORBIDDEN);
    }
  }

  /**
   * Checks the tenant and the user whom a request names.
   *
   * @throws ApiException {@link ApiError#FORBIDDEN} if the caller does not reach the one, or may
   *     not act for the other
   */
  public void require(String wantedTenant, String wantedUser) {
    requireTenant(wantedTenant);
    requireUser(wantedUser);
  }

  /**
   * Checks a user whom a request names.
   *
   * @throws ApiException {@link ApiError#FORBIDDEN} if the caller may not act for that user
   */
  public void requireUser(String wanted) {
    if (!actsFor(wanted)) {
      throw new ApiException(ApiError.FORBIDDEN);
    }
  }
}

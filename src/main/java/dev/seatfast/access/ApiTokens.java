package dev.seatfast.access;

import dev.seatfast.database.Database;
import dev.seatfast.database.RowMapper;
import dev.seatfast.database.Session;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The API tokens in the database. */
@Singleton
public class ApiTokens {

  private final Database database;
  private final Audit audit;

  ApiTokens(Database database, Audit audit) {
    this.database = database;
    this.audit = audit;
  }

  /**
   * A new token.
   *
   * @param text the secret, which nothing can show again
   */
  public record Created(String text, ApiToken token) {

    /** The text stays out of logs. */
    @Override
    public String toString() {
      return "Created " + token;
    }
  }

  /**
   * Makes a token that allows nothing which its maker may not do itself.
   *
   * @return empty, with nothing made, if it would allow more
   */
  public Optional<Created> create(Caller caller, ApiToken.Grant grant) {
    if (!grant.isWithin(caller)) {
      return Optional.empty();
    }
    TokenText.Secret secret = TokenText.generate(new SecureRandom());
    return Optional.of(
        database.inTransaction(
            session -> {
              ApiToken token = insert(session, secret.token(), grant);
              audit.record(
                  session, caller, Audit.Action.TOKEN_CREATED, token.id(), null, described(grant));
              return new Created(secret.text(), token);
            }));
  }

  private static ApiToken insert(Session session, TokenText text, ApiToken.Grant grant)
      throws SQLException {
    return session.one(
        """
        INSERT INTO {schema}.api_token (token_id, hash, tenant, user_id, scopes, note, expires_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        RETURNING token_id, tenant, user_id, scopes, note, created_at, expires_at, revoked_at
        """,
        parameters ->
            parameters
                .add(text.id())
                .add(text.hash().toArray())
                .add(grant.tenant().orElse(null))
                .add(grant.userId().orElse(null))
                .addTexts(codes(grant.scopes()))
                .add(grant.note())
                .add(grant.expiresAt().orElse(null)),
        ApiTokens::token);
  }

  /**
   * Lists the tokens of the tenant that a caller reaches, by their ids, without their secrets.
   *
   * @param after the id that the page before ended with, or an empty text
   */
  public List<ApiToken> page(Caller caller, String after, int limit) {
    return database.list(
        """
        SELECT token_id, tenant, user_id, scopes, note, created_at, expires_at, revoked_at
          FROM {schema}.api_token
         WHERE token_id > ? AND (? OR tenant IS NOT DISTINCT FROM ?)
         ORDER BY token_id
         LIMIT ?
        """,
        parameters ->
            parameters
                .add(after)
                .add(caller.may(Scope.ANY_TENANT))
                .add(caller.tenant().orElse(null))
                .add(limit),
        ApiTokens::token);
  }

  /**
   * Revokes a token for good; one that is revoked stays as it is.
   *
   * @return empty if the caller's tenant has no token with this id
   */
  public Optional<ApiToken> revoke(Caller caller, String id) {
    return database.inTransaction(
        session -> {
          Optional<ApiToken> found =
              session
                  .first(
                      """
                      SELECT token_id, tenant, user_id, scopes, note, created_at, expires_at,
                             revoked_at
                        FROM {schema}.api_token WHERE token_id = ? FOR UPDATE
                      """,
                      parameters -> parameters.add(id),
                      ApiTokens::token)
                  .filter(token -> caller.reaches(token.grant().tenant()));
          if (found.isEmpty() || found.get().revokedAt().isPresent()) {
            return found;
          }
          ApiToken revoked =
              session.one(
                  """
                  UPDATE {schema}.api_token SET revoked_at = clock_timestamp() WHERE token_id = ?
                  RETURNING token_id, tenant, user_id, scopes, note, created_at, expires_at,
                            revoked_at
                  """,
                  parameters -> parameters.add(id),
                  ApiTokens::token);
          audit.record(
              session, caller, Audit.Action.TOKEN_REVOKED, id, described(revoked.grant()), null);
          return Optional.of(revoked);
        });
  }

  /**
   * A token that holds now.
   *
   * @param left how long until it ends by itself; empty if it does not
   */
  record Valid(Caller caller, Optional<Duration> left) {}

  /** Finds who has a token, by the database's clock; empty unless all of it is right. */
  Optional<Valid> find(TokenText text) {
    return database
        .first(
            """
            SELECT hash, token_id, tenant, user_id, scopes, expires_at,
                   revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) AS valid,
                   (extract(epoch FROM expires_at - now()) * 1000)::bigint AS left_ms
              FROM {schema}.api_token
             WHERE token_id = ?
            """,
            parameters -> parameters.add(text.id()),
            row -> new Row(Sha256.of(row.getBytes("hash")), row.getBoolean("valid"), valid(row)))
        // Compared even if it is revoked, so that the time tells nothing.
        .filter(row -> text.hash().isSameAs(row.hash()) & row.valid())
        .map(Row::token);
  }

  private record Row(Sha256 hash, boolean valid, Valid token) {}

  private static Valid valid(ResultSet row) throws SQLException {
    Long left = row.getObject("left_ms", Long.class);
    return new Valid(
        new Caller(
            "token:" + row.getString("token_id"),
            Optional.ofNullable(row.getString("tenant")),
            Optional.ofNullable(row.getString("user_id")),
            scopes(row),
            Optional.ofNullable(RowMapper.instant(row, "expires_at"))),
        Optional.ofNullable(left).map(Duration::ofMillis));
  }

  private static ApiToken token(ResultSet row) throws SQLException {
    return new ApiToken(
        row.getString("token_id"),
        new ApiToken.Grant(
            Optional.ofNullable(row.getString("tenant")),
            Optional.ofNullable(row.getString("user_id")),
            scopes(row),
            Optional.ofNullable(RowMapper.instant(row, "expires_at")),
            row.getString("note")),
        RowMapper.instant(row, "created_at"),
        Optional.ofNullable(RowMapper.instant(row, "revoked_at")));
  }

  /** A scope of another version is none of ours. */
  private static Set<Scope> scopes(ResultSet row) throws SQLException {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    Arrays.stream((String[]) row.getArray("scopes").getArray())
        .forEach(code -> Scope.of(code).ifPresent(scopes::add));
    return scopes;
  }

  private static Collection<String> codes(Set<Scope> scopes) {
    Set<String> codes = new TreeSet<>();
    scopes.forEach(scope -> codes.add(scope.code()));
    return codes;
  }

  private static String described(ApiToken.Grant grant) {
    return "tenant %s, user %s, scopes %s, expires %s"
        .formatted(
            grant.tenant().orElse("none"),
            grant.userId().orElse("any"),
            String.join(" ", codes(grant.scopes())),
            grant.expiresAt().map(Object::toString).orElse("never"));
  }
}

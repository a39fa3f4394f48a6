package dev.seatfast.access;

import dev.seatfast.http.Texts;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads from a verified identity who it is and what it may do, as the configuration says. */
final class IdentityClaims {

  private static final int TEXT_LENGTH_MAX = 128;

  private final AccessConfig.Identities config;
  private final String prefix;

  IdentityClaims(AccessConfig.Identities config) {
    this.config = config;
    this.prefix = config.scopePrefix().orElse("");
  }

  /** Empty if a claim is missing or is no text that could be a user or a tenant. */
  Optional<Caller> caller(Map<String, Object> claims) {
    Object tenant = config.tenantClaim().map(name -> claim(claims, name)).orElse(null);
    if (tenant != null && text(tenant).isEmpty()) {
      return Optional.empty();
    }
    Optional<String> subject = text(claims.get("sub"));
    Optional<String> user = text(claim(claims, config.userClaim()));
    if (subject.isEmpty() || user.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Caller(
            "user:" + subject.get(),
            tenant == null ? config.tenant() : text(tenant),
            user,
            scopes(claims),
            claims.get("exp") instanceof Number seconds
                ? Optional.of(Instant.ofEpochSecond(seconds.longValue()))
                : Optional.empty()));
  }

  private Set<Scope> scopes(Map<String, Object> claims) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    config.scopes().orElse(List.of()).forEach(code -> Scope.of(code).ifPresent(scopes::add));
    Object claim = claim(claims, config.scopesClaim());
    List<?> names =
        claim instanceof List<?> list
            ? list
            : claim instanceof String text ? List.of(text.split(" ")) : List.of();
    for (Object name : names) {
      if (name instanceof String text && text.startsWith(prefix)) {
        Scope.of(text.substring(prefix.length())).ifPresent(scopes::add);
      }
    }
    return scopes;
  }

  /** A claim by its name, or by the way to it through claims within claims, with dots between. */
  private static Object claim(Map<String, Object> claims, String name) {
    if (claims.containsKey(name)) {
      return claims.get(name);
    }
    int dot = name.indexOf('.');
    return dot > 0 && claims.get(name.substring(0, dot)) instanceof Map<?, ?> inner
        ? claim(cast(inner), name.substring(dot + 1))
        : null;
  }

  @SuppressWarnings("unchecked") // JSON has no other keys
  private static Map<String, Object> cast(Map<?, ?> object) {
    return (Map<String, Object>) object;
  }

  /** A text of 1 to 128 characters without control characters. */
  private static Optional<String> text(Object claim) {
    return claim instanceof String text
            && !text.isEmpty()
            && text.codePointCount(0, text.length()) <= TEXT_LENGTH_MAX
            && Texts.isClean(text)
        ? Optional.of(text)
        : Optional.empty();
  }
}

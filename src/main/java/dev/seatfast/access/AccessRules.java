package dev.seatfast.access;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What each route asks of its caller. A route that is not listed is not there while the service is
 * closed, so that a new one is never open by mistake.
 */
final class AccessRules {

  /** Whose things a route is about. */
  enum Reach {
    /** Things that belong to no tenant. */
    NO_TENANT,
    /** A tenant that the request names; its resource checks that. */
    NAMED_TENANT,
    /** All tenants. */
    EVERY_TENANT
  }

  /**
   * A rule for the routes whose path it matches.
   *
   * @param reading the scope that GET needs; empty if any valid credential will do
   * @param writing the scope that every other method needs, likewise
   * @param hidden whether callers who may not use it must not learn that it exists
   */
  record Rule(
      Pattern path, Optional<Scope> reading, Optional<Scope> writing, Reach reach, boolean hidden) {

    Optional<Scope> scope(String method) {
      return method.equals("GET") || method.equals("HEAD") ? reading : writing;
    }

    boolean allows(Caller caller, String method) {
      return scope(method).map(caller::may).orElse(true)
          && switch (reach) {
            case NO_TENANT -> caller.reaches(Optional.empty());
            case NAMED_TENANT -> true;
            case EVERY_TENANT -> caller.may(Scope.ANY_TENANT);
          };
    }
  }

  private static final String HOLDS = "/holds(/[^/]+(/[^/]+)?)?";
  private static final String TENANT = "/api/tenants/[^/]+/workshops/[^/]+";

  private static final List<Rule> RULES =
      List.of(
          new Rule(
              Pattern.compile("/api/whoami/*"),
              Optional.empty(),
              Optional.empty(),
              Reach.NAMED_TENANT,
              false),
          shown("/workshops/[^/]+/reservations", Scope.RESERVE, Reach.NO_TENANT),
          shown("/workshops/[^/]+/status", Scope.READ, Reach.NO_TENANT),
          shown("/api/availability", Scope.READ, Reach.NO_TENANT),
          shown("/api/tenants/[^/]+/availability", Scope.READ, Reach.NAMED_TENANT),
          shown("/api/reservations/(hold|confirm)", Scope.HOLD, Reach.NAMED_TENANT),
          shown("/api/slots(/slot)?", Scope.HOLD, Reach.NAMED_TENANT),
          shown("/api/slots/reservations/[^/]+(/[^/]+)?", Scope.HOLD, Reach.NAMED_TENANT),
          shown("/api/slots/groups(/[^/]+/[^/]+)?", Scope.HOLD, Reach.NAMED_TENANT),
          shown("/api/workshops/[^/]+" + HOLDS, Scope.HOLD, Reach.NO_TENANT),
          shown(TENANT + "/reservations", Scope.RESERVE, Reach.NAMED_TENANT),
          shown(TENANT + "/status", Scope.READ, Reach.NAMED_TENANT),
          shown(TENANT + HOLDS, Scope.HOLD, Reach.NAMED_TENANT),
          hidden(
              "/api/workshops/[^/]*/(capacity|opening|attempts)", Scope.OPERATE, Reach.NO_TENANT),
          hidden(TENANT + "/(capacity|opening|attempts)", Scope.OPERATE, Reach.NAMED_TENANT),
          hidden("/internal/events", Scope.EVENTS, Reach.EVERY_TENANT),
          hidden("/internal/tokens(/.*)?", Scope.TOKENS, Reach.NAMED_TENANT),
          hidden("/internal(/.*)?", Scope.OPERATE, Reach.EVERY_TENANT));

  private static final Rule METRICS = hidden("/q/metrics(/.*)?", Scope.OPERATE, Reach.EVERY_TENANT);

  private static final Pattern GUARDED = Pattern.compile("/(workshops|api|internal)(/.*)?");

  private AccessRules() {}

  private static Rule shown(String path, Scope writing, Reach reach) {
    // Jakarta REST ignores slashes at the end.
    return new Rule(
        Pattern.compile(path + "/*"), Optional.of(Scope.READ), Optional.of(writing), reach, false);
  }

  private static Rule hidden(String path, Scope scope, Reach reach) {
    return new Rule(
        Pattern.compile(path + "/*"), Optional.of(scope), Optional.of(scope), reach, true);
  }

  static Optional<Rule> find(String normalizedPath, boolean metricsPublic) {
    if (!metricsPublic && METRICS.path().matcher(normalizedPath).matches()) {
      return Optional.of(METRICS);
    }
    return RULES.stream().filter(rule -> rule.path().matcher(normalizedPath).matches()).findFirst();
  }

  /** Whether a path is one that only callers with a credential may ask for, if it is closed. */
  static boolean isGuarded(String normalizedPath) {
    return GUARDED.matcher(normalizedPath).matches();
  }
}

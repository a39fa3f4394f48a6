package dev.seatfast.login;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What one of these commands is asked to do.
 *
 * @param command its first word
 * @param url of the service
 * @param provider where to get a token; empty if the person brings one
 */
record LoginArguments(String command, SafeUrl url, Optional<Provider> provider) {

  static final String LOGIN = "login";
  static final String WHOAMI = "whoami";
  static final String LOGOUT = "logout";

  static final String USAGE =
      """
      usage: login --url URL                   asks for a token, or reads it from standard input
             login --url URL --issuer URL --client-id ID [--scope "openid offline_access"]
             whoami --url URL
             logout --url URL""";

  private static final String SCOPE_DEFAULT = "openid";
  private static final int LENGTH_MAX = 500;

  /**
   * An OpenID provider with the device flow.
   *
   * @param clientId the name that this program has there
   * @param scope what to ask it for
   */
  record Provider(SafeUrl issuer, String clientId, String scope) {}

  /** Whether a command line is of one of these commands. */
  static boolean are(List<String> arguments) {
    return !arguments.isEmpty() && Set.of(LOGIN, WHOAMI, LOGOUT).contains(arguments.get(0));
  }

  /**
   * @throws LoginException that says how to use the command
   */
  static LoginArguments parse(List<String> arguments) throws LoginException {
    String command = arguments.get(0);
    Set<String> allowed =
        command.equals(LOGIN)
            ? Set.of("--url", "--issuer", "--client-id", "--scope")
            : Set.of("--url");
    Map<String, String> options = options(arguments.subList(1, arguments.size()), allowed);
    if (!options.containsKey("--url")
        || options.containsKey("--issuer") != options.containsKey("--client-id")
        || options.containsKey("--scope") && !options.containsKey("--issuer")) {
      throw new LoginException(USAGE);
    }
    SafeUrl url = SafeUrl.of("--url", options.get("--url"));
    return new LoginArguments(
        command,
        url,
        options.containsKey("--issuer")
            ? Optional.of(
                new Provider(
                    SafeUrl.of("--issuer", options.get("--issuer")),
                    options.get("--client-id"),
                    options.getOrDefault("--scope", SCOPE_DEFAULT)))
            : Optional.empty());
  }

  private static Map<String, String> options(List<String> words, Set<String> allowed)
      throws LoginException {
    Map<String, String> options = new TreeMap<>();
    Iterator<String> rest = words.iterator();
    while (rest.hasNext()) {
      String option = rest.next();
      String value = rest.hasNext() ? rest.next() : "";
      if (!allowed.contains(option)
          || value.isEmpty()
          || value.length() > LENGTH_MAX
          || options.put(option, value) != null) {
        throw new LoginException(USAGE);
      }
    }
    return options;
  }
}

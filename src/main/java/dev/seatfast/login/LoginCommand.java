package dev.seatfast.login;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/** Logs a person in to a service, says who that is, and logs out. */
public final class LoginCommand {

  /** What can stand in a header. */
  static final Pattern TOKEN = Pattern.compile("[!-~]{8,8192}");

  /** A token here wins over what login kept, also for the tools in deploy. */
  private static final String VARIABLE = "SEATFAST_BEARER";

  private static final int DONE = 0;
  private static final int FAILED = 1;
  private static final int BAD_USAGE = 2;
  private static final int INPUT_BYTES_MAX = 16 * 1024;

  private final Map<String, String> environment;
  private final LoginStore store;
  private final Clock clock;
  private final InputStream in;
  private final PrintStream out;
  private final PrintStream errors;
  private final JsonClient client = new JsonClient();

  private LoginCommand(Map<String, String> environment, Path folder, Clock clock) {
    this.environment = environment;
    this.store = new LoginStore(folder);
    this.clock = clock;
    this.in = System.in;
    this.out = System.out;
    this.errors = System.err;
  }

  /** Whether a command line is of one of these commands. */
  public static boolean isMeant(List<String> arguments) {
    return LoginArguments.are(arguments);
  }

  /**
   * Does what the arguments say.
   *
   * @return the exit code: 0 if it is done, 1 if it failed, 2 if the arguments are wrong
   */
  public static int run(List<String> arguments, Map<String, String> environment, Clock clock) {
    Path folder =
        LoginStore.folder(
            environment, System.getProperty("os.name"), System.getProperty("user.home"));
    return new LoginCommand(environment, folder, clock).run(arguments);
  }

  private int run(List<String> words) {
    LoginArguments arguments;
    try {
      arguments = LoginArguments.parse(words);
    } catch (LoginException e) {
      errors.println("seatfast: " + e.getMessage());
      return BAD_USAGE;
    }
    try {
      switch (arguments.command()) {
        case LoginArguments.LOGIN -> login(arguments);
        case LoginArguments.WHOAMI -> print(arguments.url(), whoami(arguments.url()));
        default -> logout(arguments.url());
      }
      return DONE;
    } catch (LoginException e) {
      errors.println("seatfast: " + e.getMessage());
      return FAILED;
    }
  }

  private void login(LoginArguments arguments) throws LoginException {
    SafeUrl url = arguments.url();
    KeptLogin login =
        arguments.provider().isPresent()
            ? new DeviceFlow(client, clock, errors).run(url, arguments.provider().get())
            : new KeptLogin(url.text(), readToken(url), Optional.empty(), Optional.empty());
    JsonNode caller = ask(url, login.token()).orElseThrow(() -> refused(url));
    store.put(login);
    print(url, caller);
  }

  private static LoginException refused(SafeUrl url) {
    return new LoginException(url.text() + " does not accept this token");
  }

  /** From a terminal without showing it, else from standard input; never from the command line. */
  private String readToken(SafeUrl url) throws LoginException {
    Console console = System.console();
    String text;
    if (console != null) {
      char[] typed = console.readPassword("Token for %s: ", url.text());
      text = typed == null ? "" : new String(typed);
    } else {
      try {
        text = new String(in.readNBytes(INPUT_BYTES_MAX), StandardCharsets.US_ASCII);
      } catch (IOException e) {
        throw new LoginException("cannot read standard input");
      }
    }
    return checked(text.strip(), "that");
  }

  private static String checked(String token, String source) throws LoginException {
    if (!TOKEN.matcher(token).matches()) {
      throw new LoginException(source + " is no token");
    }
    return token;
  }

  private JsonNode whoami(SafeUrl url) throws LoginException {
    String given = environment.getOrDefault(VARIABLE, "").strip();
    if (!given.isEmpty()) {
      return ask(url, checked(given, VARIABLE)).orElseThrow(() -> refused(url));
    }
    KeptLogin login =
        store
            .find(url)
            .orElseThrow(() -> new LoginException("not logged in; run login --url " + url.text()));
    boolean renewed = login.endsSoon(clock.instant()) && login.renewal().isPresent();
    if (renewed) {
      login = renew(login);
    }
    Optional<JsonNode> caller = ask(url, login.token());
    if (caller.isEmpty() && !renewed && login.renewal().isPresent()) {
      caller = ask(url, renew(login).token());
    }
    return caller.orElseThrow(() -> refused(url));
  }

  /** Keeps the new one at once: many providers give a refresh token that works only once. */
  private KeptLogin renew(KeptLogin login) throws LoginException {
    KeptLogin next =
        new DeviceFlow(client, clock, errors).renew(login, login.renewal().orElseThrow());
    store.put(next);
    return next;
  }

  /** Asks a service whose token this is; empty if it accepts it from nobody. */
  private Optional<JsonNode> ask(SafeUrl url, String token) throws LoginException {
    JsonClient.Answer answer = client.get(url.resolve("/api/whoami"), token);
    if (answer.status() == 401) {
      return Optional.empty();
    }
    if (answer.status() != 200 || !answer.json().path("name").isTextual()) {
      throw new LoginException(
          "%s does not say who this is: status %d".formatted(url.text(), answer.status()));
    }
    return Optional.of(answer.json());
  }

  private void print(SafeUrl url, JsonNode caller) {
    StringJoiner scopes = new StringJoiner(" ");
    caller.path("scopes").forEach(scope -> scopes.add(scope.asText()));
    line("service", url.text());
    line("name", caller.path("name").asText());
    line("tenant", caller.path("tenant").asText("-"));
    line("user", caller.path("userId").asText("-"));
    line("scopes", scopes.toString());
    line("expires", caller.path("expiresAt").asText("-"));
  }

  private void line(String name, String value) {
    out.printf("%-8s %s%n", name, DeviceFlow.printable(value));
  }

  private void logout(SafeUrl url) throws LoginException {
    if (!store.remove(url)) {
      errors.println("seatfast: there was no login for " + url.text());
    }
  }
}

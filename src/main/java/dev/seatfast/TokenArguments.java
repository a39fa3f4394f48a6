package dev.seatfast;

import dev.seatfast.access.ApiToken;
import dev.seatfast.access.Scope;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.Texts;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the command {@code tokens} is asked to do. */
sealed interface TokenArguments {

  /** The command's first word. */
  String COMMAND = "tokens";

  String USAGE =
      """
      usage: tokens create --scope SCOPE ... [--tenant TENANT] [--user USER] [--expires 30d] [--note NOTE]
             tokens list
             tokens revoke ID
      scopes: reserve, hold, read, operate, events, tokens, act-for, any-tenant""";

  /** Days, hours or minutes from now. */
  Pattern TIME = Pattern.compile("([1-9]\\d{0,4})([dhm])");

  record Create(ApiToken.Grant grant) implements TokenArguments {}

  record ListAll() implements TokenArguments {}

  record Revoke(String id) implements TokenArguments {}

  /** Whether a command line is of this command. */
  static boolean are(List<String> arguments) {
    return !arguments.isEmpty() && arguments.get(0).equals(COMMAND);
  }

  /**
   * Reads the arguments, which begin with {@link #COMMAND}.
   *
   * @throws IllegalArgumentException that says how to use the command
   */
  static TokenArguments parse(List<String> arguments, Instant now) {
    List<String> rest = arguments.subList(1, arguments.size());
    if (rest.equals(List.of("list"))) {
      return new ListAll();
    }
    if (rest.size() == 2 && rest.get(0).equals("revoke")) {
      return new Revoke(rest.get(1));
    }
    if (!rest.isEmpty() && rest.get(0).equals("create")) {
      return new Create(grant(rest.subList(1, rest.size()).iterator(), now));
    }
    throw new IllegalArgumentException(USAGE);
  }

  private static ApiToken.Grant grant(Iterator<String> options, Instant now) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    Optional<String> tenant = Optional.empty();
    Optional<String> user = Optional.empty();
    Optional<Instant> expires = Optional.empty();
    String note = "";
    while (options.hasNext()) {
      String option = options.next();
      if (!options.hasNext()) {
        throw new IllegalArgumentException(USAGE);
      }
      String value = options.next();
      switch (option) {
        case "--scope" -> scopes.add(Scope.of(value).orElseThrow(() -> wrong(option, value)));
        case "--tenant" -> tenant = Optional.of(text(option, value));
        case "--user" -> user = Optional.of(text(option, value));
        case "--expires" -> expires = Optional.of(time(option, value, now));
        case "--note" -> note = note(option, value);
        default -> throw new IllegalArgumentException(USAGE);
      }
    }
    if (scopes.isEmpty()) {
      throw new IllegalArgumentException("a token needs at least one --scope\n" + USAGE);
    }
    return new ApiToken.Grant(tenant, user, scopes, expires, note);
  }

  private static String text(String option, String value) {
    try {
      return Texts.check(value, ApiError.INVALID_TOKEN_REQUEST);
    } catch (ApiException e) {
      throw wrong(option, value);
    }
  }

  private static String note(String option, String value) {
    if (value.codePointCount(0, value.length()) > ApiToken.NOTE_LENGTH_MAX
        || !Texts.isClean(value)) {
      throw wrong(option, value);
    }
    return value;
  }

  private static Instant time(String option, String value, Instant now) {
    Matcher time = TIME.matcher(value);
    if (time.matches()) {
      long number = Long.parseLong(time.group(1));
      return now.plus(
          switch (time.group(2)) {
            case "d" -> Duration.ofDays(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofMinutes(number);
          });
    }
    try {
      Instant instant = Instant.parse(value);
      if (instant.isAfter(now) && instant.isBefore(now.plus(Duration.ofDays(36_500)))) {
        return instant;
      }
    } catch (DateTimeException e) {
      // Said below, like a time in the past.
    }
    throw wrong(option, value);
  }

  private static IllegalArgumentException wrong(String option, String value) {
    return new IllegalArgumentException("%s cannot be '%s'%n%s".formatted(option, value, USAGE));
  }
}

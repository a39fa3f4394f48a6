package dev.seatfast;

import dev.seatfast.access.ApiToken;
import dev.seatfast.access.ApiTokens;
import dev.seatfast.access.Caller;
import dev.seatfast.access.Scope;
import dev.seatfast.database.NamespaceDeletedException;
import dev.seatfast.database.RolledBackException;
import dev.seatfast.database.UnavailableException;
import dev.seatfast.namespace.ExitCode;
import io.quarkus.runtime.QuarkusApplication;
import java.io.PrintStream;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Makes, lists and revokes API tokens in the database, without a running service and before there
 * is any token. What it prints on standard output is the result alone; logs go to standard error.
 */
public class TokensCommand implements QuarkusApplication {

  private static final int PAGE = 1_000;

  private final ApiTokens tokens;
  private final Clock clock;
  private final PrintStream out = System.out;

  TokensCommand(ApiTokens tokens, Clock clock) {
    this.tokens = tokens;
    this.clock = clock;
  }

  @Override
  public int run(String... args) {
    Caller caller = Caller.ofCommandLine(System.getProperty("user.name"));
    TokenArguments arguments = TokenArguments.parse(List.of(args), clock.instant());
    try {
      if (arguments instanceof TokenArguments.Create create) {
        out.println(tokens.create(caller, create.grant()).orElseThrow().text());
        return 0;
      }
      if (arguments instanceof TokenArguments.Revoke revoke) {
        return revoke(caller, revoke.id());
      }
      list(caller);
      return 0;
    } catch (UnavailableException | RolledBackException | NamespaceDeletedException e) {
      System.err.println("seatfast: " + e.getMessage());
      return ExitCode.START_FAULT.code();
    }
  }

  private int revoke(Caller caller, String id) {
    Optional<ApiToken> revoked = tokens.revoke(caller, id);
    if (revoked.isEmpty()) {
      System.err.println("seatfast: there is no token " + id);
      return ExitCode.START_FAULT.code();
    }
    return 0;
  }

  private void list(Caller caller) {
    String after = "";
    List<ApiToken> page;
    do {
      page = tokens.page(caller, after, PAGE);
      page.forEach(token -> out.println(line(token)));
      after = page.isEmpty() ? after : page.get(page.size() - 1).id();
    } while (page.size() == PAGE);
  }

  private static String line(ApiToken token) {
    ApiToken.Grant grant = token.grant();
    return String.join(
        "\t",
        token.id(),
        grant.tenant().orElse("-"),
        grant.userId().orElse("-"),
        grant.scopes().stream().map(Scope::code).sorted().collect(Collectors.joining(",")),
        token
            .revokedAt()
            .map(at -> "revoked " + at)
            .or(() -> grant.expiresAt().map(at -> "expires " + at))
            .orElse("-"),
        grant.note());
  }
}

package dev.seatfast.login;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Gets a token by the device flow (RFC 8628): the person opens a page in any browser and confirms a
 * code there, while this asks the provider whether that has happened.
 */
final class DeviceFlow {

  private static final String GRANT = "urn:ietf:params:oauth:grant-type:device_code";
  private static final int INTERVAL_SECONDS_DEFAULT = 5;
  private static final int INTERVAL_SECONDS_MAX = 60;
  private static final int TIME_SECONDS_MAX = 1_800;

  private final JsonClient client;
  private final Clock clock;
  private final PrintStream person;

  DeviceFlow(JsonClient client, Clock clock, PrintStream person) {
    this.client = client;
    this.clock = clock;
    this.person = person;
  }

  /** Logs a person in to a service. */
  KeptLogin run(SafeUrl service, LoginArguments.Provider provider) throws LoginException {
    JsonNode found = discover(provider.issuer());
    URI tokens = endpoint(found, "token_endpoint");
    JsonClient.Answer begun =
        client.post(
            endpoint(found, "device_authorization_endpoint"),
            Map.of("client_id", provider.clientId(), "scope", provider.scope()));
    String code = begun.json().path("device_code").asText();
    if (begun.status() != 200 || code.isEmpty()) {
      throw new LoginException("the provider begins no device flow: " + error(begun));
    }
    tell(begun.json());
    JsonNode answer = await(tokens, code, provider.clientId(), begun.json());
    return login(service.text(), tokens.toString(), provider.clientId(), answer, Optional.empty());
  }

  /** Gets the next token of a login. */
  KeptLogin renew(KeptLogin login, KeptLogin.Renewal renewal) throws LoginException {
    SafeUrl endpoint = SafeUrl.of("the provider's token_endpoint", renewal.endpoint());
    JsonClient.Answer answer =
        client.post(
            endpoint.resolve(""),
            Map.of(
                "grant_type", "refresh_token",
                "refresh_token", renewal.refreshToken(),
                "client_id", renewal.clientId()));
    if (answer.status() != 200) {
      throw new LoginException("the login has ended (%s); log in again".formatted(error(answer)));
    }
    return login(
        login.url(),
        renewal.endpoint(),
        renewal.clientId(),
        answer.json(),
        Optional.of(renewal.refreshToken()));
  }

  private JsonNode discover(SafeUrl issuer) throws LoginException {
    JsonClient.Answer found = client.get(issuer.resolve("/.well-known/openid-configuration"));
    String named = found.json().path("issuer").asText();
    if (found.status() != 200 || !named.replaceFirst("/+$", "").equals(issuer.text())) {
      throw new LoginException("there is no OpenID provider at " + issuer.text());
    }
    return found.json();
  }

  private static URI endpoint(JsonNode found, String name) throws LoginException {
    String text = found.path(name).asText();
    if (text.isEmpty()) {
      throw new LoginException("the provider has no " + name + "; log in with a token");
    }
    return SafeUrl.of("the provider's " + name, text).resolve("");
  }

  private void tell(JsonNode begun) {
    String page = printable(begun.path("verification_uri").asText());
    String code = printable(begun.path("user_code").asText());
    person.printf("Open %s in a browser and enter the code %s%n", page, code);
  }

  private JsonNode await(URI tokens, String code, String clientId, JsonNode begun)
      throws LoginException {
    int interval =
        within(begun.path("interval").asInt(INTERVAL_SECONDS_DEFAULT), INTERVAL_SECONDS_MAX);
    int seconds = within(begun.path("expires_in").asInt(TIME_SECONDS_MAX), TIME_SECONDS_MAX);
    long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    while (end - System.nanoTime() > 0) {
      pause(interval);
      JsonClient.Answer answer =
          client.post(
              tokens, Map.of("grant_type", GRANT, "device_code", code, "client_id", clientId));
      if (answer.status() == 200) {
        return answer.json();
      }
      switch (answer.json().path("error").asText()) {
        case "authorization_pending" -> {}
        case "slow_down" ->
            interval = within(interval + INTERVAL_SECONDS_DEFAULT, INTERVAL_SECONDS_MAX);
        default -> throw new LoginException("the provider gives no token: " + error(answer));
      }
    }
    throw new LoginException("nobody confirmed the code in time");
  }

  private static int within(int seconds, int most) {
    return Math.max(1, Math.min(seconds, most));
  }

  private static void pause(int seconds) throws LoginException {
    try {
      TimeUnit.SECONDS.sleep(seconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LoginException("interrupted");
    }
  }

  private KeptLogin login(
      String url, String endpoint, String clientId, JsonNode answer, Optional<String> refresh)
      throws LoginException {
    String token = answer.path("access_token").asText();
    if (!LoginCommand.TOKEN.matcher(token).matches()) {
      throw new LoginException("the provider's token cannot be one");
    }
    JsonNode left = answer.path("expires_in");
    // A provider that gives no other one goes on to accept the one before.
    Optional<String> next =
        Optional.ofNullable(answer.path("refresh_token").textValue()).or(() -> refresh);
    return new KeptLogin(
        url,
        token,
        left.isInt() ? Optional.of(end(left.intValue())) : Optional.empty(),
        next.map(secret -> new KeptLogin.Renewal(endpoint, clientId, secret)));
  }

  private Instant end(int seconds) {
    return clock.instant().plusSeconds(seconds);
  }

  private static String error(JsonClient.Answer answer) {
    String code = answer.json().path("error").asText();
    return code.isEmpty() ? "status " + answer.status() : printable(code);
  }

  /** What others wrote must not control the terminal. */
  static String printable(String text) {
    String clean = text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}]", "?");
    return clean.length() > 200 ? clean.substring(0, 200) : clean;
  }
}

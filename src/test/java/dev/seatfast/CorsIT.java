package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.support.DatabaseOwner;
import dev.seatfast.support.ServiceProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a browser asks and reads for a page of another origin, with the settings of the docs. */
class CorsIT {

  private static final String PAGE = "https://shop.example";
  private static final String TOKEN = "the-internal-token";
  private static final HttpClient BROWSER = HttpClient.newHttpClient();

  @TempDir static Path folder;
  private static EmbeddedDatabase database;
  private static ServiceProcess service;

  @BeforeAll
  static void startService() throws IOException {
    database = EmbeddedDatabase.start(folder, 0);
    DatabaseOwner owner = new DatabaseOwner(database);
    owner.migrate();
    service =
        ServiceProcess.start(
            owner.settings(
                "SEATFAST_ACCESS",
                "tokens",
                "SEATFAST_INTERNAL_TOKEN",
                TOKEN,
                "SEATFAST_LIMITS_PER_CALLER",
                "1",
                "SEATFAST_LIMITS_BURST_SECONDS",
                "20",
                "QUARKUS_HTTP_CORS_ENABLED",
                "true",
                "QUARKUS_HTTP_CORS_ORIGINS",
                PAGE,
                "QUARKUS_HTTP_CORS_METHODS",
                "GET,POST",
                "QUARKUS_HTTP_CORS_HEADERS",
                "authorization,content-type",
                "QUARKUS_HTTP_CORS_EXPOSED_HEADERS",
                "Retry-After,WWW-Authenticate,Idempotency-Replayed,Idempotency-Mismatch"));
  }

  @AfterAll
  static void stopService() {
    service.close();
    database.close();
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /workshops/cors/reservations",
    "GET, /workshops/cors/status",
    "POST, /api/reservations/hold",
    "GET, /api/slots",
    "GET, /api/whoami"
  })
  void aPreflightLetsThePageSendItsTokenThoughItHasNoneItself(String method, String path)
      throws Exception {
    HttpResponse<String> answer = preflight(PAGE, method, path);
    assertEquals(200, answer.statusCode());
    assertEquals(PAGE, header(answer, "Access-Control-Allow-Origin"));
    assertTrue(
        list(answer, "Access-Control-Allow-Methods").contains(method.toLowerCase(Locale.ROOT)));
    assertTrue(
        list(answer, "Access-Control-Allow-Headers")
            .containsAll(Set.of("authorization", "content-type")));
  }

  @Test
  void aPreflightOfAnotherOriginAllowsNothing() throws Exception {
    HttpResponse<String> answer =
        preflight("https://elsewhere.example", "POST", "/workshops/cors/reservations");
    assertEquals("", header(answer, "Access-Control-Allow-Origin"));
  }

  @ParameterizedTest
  @CsvSource({
    "200, /workshops/cors/status, " + TOKEN,
    "401, /workshops/cors/status, wrong",
    "401, /api/slots, ''",
    "400, /api/slots, " + TOKEN,
    "404, /internal/audit, wrong"
  })
  void thePageReadsEveryAnswerAlsoAnError(int status, String path, String token) throws Exception {
    HttpResponse<String> answer = get(PAGE, path, token);
    assertEquals(status, answer.statusCode(), answer.body());
    assertEquals(PAGE, header(answer, "Access-Control-Allow-Origin"));
    assertTrue(
        list(answer, "Access-Control-Expose-Headers")
            .containsAll(Set.of("retry-after", "www-authenticate", "idempotency-replayed")));
  }

  @Test
  void anotherOriginReadsNothing() throws Exception {
    HttpResponse<String> answer = get("https://elsewhere.example", "/workshops/cors/status", TOKEN);
    assertFalse(answer.headers().map().containsKey("access-control-allow-origin"));
  }

  @Test
  void thePageLearnsWhenToComeBack() throws Exception {
    String token = ownToken(); // its limit is no other test's
    HttpResponse<String> answer = get(PAGE, "/api/whoami", token);
    for (int i = 0; i < 100 && answer.statusCode() == 200; i++) {
      answer = get(PAGE, "/api/whoami", token);
    }
    assertEquals(429, answer.statusCode());
    assertFalse(header(answer, "Retry-After").isEmpty());
    assertEquals(PAGE, header(answer, "Access-Control-Allow-Origin"));
    assertEquals(200, preflight(PAGE, "GET", "/api/whoami").statusCode());
  }

  private static String ownToken() throws Exception {
    return service
        .client()
        .send("POST", "/internal/tokens", "{\"scopes\":[\"read\"]}", TOKEN)
        .json()
        .get("token")
        .asText();
  }

  private static HttpResponse<String> preflight(String origin, String method, String path)
      throws Exception {
    return send(
        HttpRequest.newBuilder(service.url().resolve(path))
            .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
            .header("Origin", origin)
            .header("Access-Control-Request-Method", method)
            .header("Access-Control-Request-Headers", "authorization,content-type"));
  }

  private static HttpResponse<String> get(String origin, String path, String token)
      throws Exception {
    URI url = service.url().resolve(path);
    HttpRequest.Builder request = HttpRequest.newBuilder(url).header("Origin", origin);
    return send(token.isEmpty() ? request : request.header("Authorization", "Bearer " + token));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return BROWSER.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String header(HttpResponse<String> answer, String name) {
    return Optional.of(answer).flatMap(one -> one.headers().firstValue(name)).orElse("");
  }

  private static Set<String> list(HttpResponse<String> answer, String name) {
    return Arrays.stream(header(answer, name).toLowerCase(Locale.ROOT).split(", *"))
        .collect(Collectors.toSet());
  }
}

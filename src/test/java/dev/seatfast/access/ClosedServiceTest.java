package dev.seatfast.access;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.support.Client;
import dev.seatfast.support.RawHttp;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service that asks for credentials, from outside. */
@QuarkusTest
@TestProfile(ClosedProfile.class)
class ClosedServiceTest {

  /** Some thousands; {@code -Dfuzz=100000} for more. */
  private static final int FUZZED = Integer.getInteger("fuzz", 3_000);

  @Inject Credentials credentials;
  @Inject TokenVerifier tokens;
  @TestHTTPResource URI server;

  @ConfigProperty(name = "seatfast.internal-token")
  String internalToken;

  private static RequestSpecification as(String credential) {
    return given().header("Authorization", "Bearer " + credential);
  }

  private RequestSpecification operator() {
    return as(internalToken);
  }

  @Test
  void aTokenThatWasMadeOverHttpWorksUntilItIsRevoked() {
    Response made =
        operator()
            .body("{\"tenant\":\"t1\",\"scopes\":[\"reserve\"],\"note\":\"shop\"}")
            .post("/internal/tokens");
    made.then()
        .statusCode(201)
        .body("description.tenant", equalTo("t1"))
        .body("description.scopes", contains("reserve"))
        .body("description.note", equalTo("shop"))
        .body("description.revokedAt", nullValue());
    String token = made.path("token");
    String id = made.path("description.id");
    assertTrue(token.startsWith("sf_" + id + "_"));
    String workshop = "/api/tenants/t1/workshops/" + Client.freshWorkshop() + "/reservations";
    as(token).body("{\"requestId\":\"first\",\"seats\":1}").post(workshop).then().statusCode(201);
    operator()
        .post("/internal/tokens/" + id + "/revoke")
        .then()
        .statusCode(200)
        .body("revokedAt", notNullValue());
    operator()
        .get("/internal/tokens?limit=1000")
        .then()
        .body("tokens.find { it.id == '" + id + "' }.revokedAt", notNullValue())
        .body(not(containsString(token.substring(16))));
    operator()
        .get("/internal/audit?limit=1000")
        .then()
        .body(not(containsString(token.substring(16))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "{\"scopes\":[]}",
        "{\"scopes\":\"reserve\"}",
        "{\"scopes\":[\"unknown\"]}",
        "{\"scopes\":[1]}",
        "{\"scopes\":[\"read\"],\"tenant\":\"\"}",
        "{\"scopes\":[\"read\"],\"tenant\":1}",
        "{\"scopes\":[\"read\"],\"userId\":\"a\\nb\"}",
        "{\"scopes\":[\"read\"],\"expiresAt\":\"2001-01-01T00:00:00Z\"}",
        "{\"scopes\":[\"read\"],\"expiresAt\":\"+999999999-12-31T23:59:59Z\"}",
        "{\"scopes\":[\"read\"],\"expiresAt\":\"soon\"}"
      })
  void aTokenThatCannotBeIsNotMade(String body) {
    operator()
        .body(body)
        .post("/internal/tokens")
        .then()
        .statusCode(400)
        .body("error", equalTo("invalid_token_request"));
  }

  @Test
  void aTokenOfOneUserNamesNoOther() {
    String token =
        operator()
            .body(
                "{\"tenant\":\"t1\",\"scopes\":[\"hold\",\"read\"],\"userId\":\"anna\","
                    + "\"expiresAt\":\"2999-01-01T00:00:00Z\"}")
            .post("/internal/tokens")
            .path("token");
    hold(token, "t1", "anna").then().statusCode(200);
    hold(token, "t1", "bob").then().statusCode(403);
    hold(token, "t2", "anna").then().statusCode(403);
    hold(credentials.identity("carl", "t1", "hold act-for"), "t1", "anna").then().statusCode(200);
  }

  private static Response hold(String credential, String tenant, String user) {
    return as(credential)
        .body(
            """
            {"tenantId": "%s", "resourceId": "%s", "slotStartIso": "2030-01-01T10:00:00Z",
             "userId": "%s", "idempotencyKey": "key"}
            """
                .formatted(tenant, UUID.randomUUID(), user))
        .post("/api/reservations/hold");
  }

  @Test
  void theWorkshopsOfTwoTenantsAndOfNoneHaveSeatsOfTheirOwn() {
    String workshop = Client.freshWorkshop();
    for (String path :
        List.of("/workshops/", "/api/tenants/t1/workshops/", "/api/tenants/t2/workshops/")) {
      operator()
          .body("{\"requestId\":\"request\",\"seats\":4}")
          .post(path + workshop + "/reservations")
          .then()
          .statusCode(201)
          .body("workshop", equalTo(workshop));
    }
    operator()
        .body("{\"capacity\":7}")
        .put("/api/tenants/t1/workshops/" + workshop + "/capacity")
        .then()
        .statusCode(200);
    operator()
        .get("/api/tenants/t1/workshops/" + workshop + "/status")
        .then()
        .body("capacity", equalTo(7))
        .body("acceptedRequests", equalTo(1));
    operator()
        .get("/api/tenants/t2/workshops/" + workshop + "/status")
        .then()
        .body("capacity", equalTo(4));
    operator()
        .get("/api/tenants/t1/workshops/" + workshop + "/attempts")
        .then()
        .body("attempts.requestId", contains("request"));
    operator()
        .urlEncodingEnabled(false)
        .get("/api/tenants/" + "%0a" + "/workshops/" + workshop + "/status")
        .then()
        .statusCode(400);
  }

  @Test
  void anOutsiderLearnsNothingOfAnotherTenantAndTakesNothing() {
    String workshop = Client.freshWorkshop();
    String path = "/api/tenants/t1/workshops/" + workshop;
    String ours = credentials.token("t1", Scope.RESERVE, Scope.HOLD, Scope.READ);
    String id =
        as(ours)
            .body("{\"requestId\":\"request\",\"seats\":2,\"userId\":\"anna\"}")
            .post(path + "/holds")
            .path("reservationId");
    String outsider =
        credentials.token(
            "t2",
            Scope.RESERVE,
            Scope.HOLD,
            Scope.READ,
            Scope.OPERATE,
            Scope.TOKENS,
            Scope.ACT_FOR);
    // The same whether or not it exists.
    for (String target : List.of(path, "/api/tenants/t1/workshops/" + Client.freshWorkshop())) {
      for (String hold : List.of(id, UUID.randomUUID().toString())) {
        assertForbidden(as(outsider).get(target + "/status"));
        assertForbidden(as(outsider).get(target + "/holds/" + hold + "?userId=anna"));
        for (String action : List.of("confirm", "cancel", "extend")) {
          assertForbidden(
              as(outsider)
                  .body("{\"userId\":\"anna\"}")
                  .post(target + "/holds/" + hold + "/" + action));
        }
      }
      as(outsider).body("{\"capacity\":0}").put(target + "/capacity").then().statusCode(404);
      as(outsider).get(target + "/attempts").then().statusCode(404);
    }
    // Its own tenant has a workshop of that name, without that hold.
    as(outsider)
        .body("{\"userId\":\"anna\"}")
        .post("/api/tenants/t2/workshops/" + workshop + "/holds/" + id + "/cancel")
        .then()
        .statusCode(409)
        .body("reason", equalTo("NOT_FOUND"));
    // Spellings of the path that mean the same to some readers, or another tenant.
    for (String spelled :
        List.of(
            "/api/tenants/t2/../t1/workshops/" + workshop + "/status",
            "/api/tenants/%74%31/workshops/" + workshop + "/status",
            "/api/tenants/t1/workshops/" + workshop + "/status/",
            "/api//tenants/t1/workshops/" + workshop + "/status",
            "/api/tenants/t2%2f..%2ft1/workshops/" + workshop + "/status")) {
      int status = as(outsider).urlEncodingEnabled(false).get(spelled).statusCode();
      assertTrue(status == 403 || status == 404 || status == 400, spelled + ": " + status);
    }
    as(ours)
        .get(path + "/holds/" + id + "?userId=anna")
        .then()
        .statusCode(200)
        .body("state", equalTo("HELD"));
  }

  private static void assertForbidden(Response answer) {
    answer.then().statusCode(403).body(equalTo("{\"error\":\"forbidden\"}"));
    assertEquals(null, answer.header("Allow"));
  }

  @Test
  void aChangeOfACapacityLeavesWhoDidWhat() {
    String workshop = Client.freshWorkshop();
    String path = "/api/tenants/t1/workshops/" + workshop + "/capacity";
    String token = credentials.token("t1", Scope.OPERATE);
    as(token).body("{\"capacity\":7}").put(path).then().statusCode(200);
    as(token).body("{\"capacity\":9}").put(path).then().statusCode(200);
    as(token).body("{\"capacity\":-1}").put(path).then().statusCode(400);
    String entry = "entries.findAll { it.target == 't:2:t1:" + workshop + "' }";
    operator()
        .get("/internal/audit?limit=1000")
        .then()
        .body(entry + ".action", contains("CAPACITY_SET", "CAPACITY_SET"))
        .body(entry + ".after", contains("9", "7"))
        .body(entry + ".before", contains("7", null))
        .body(entry + ".actor[0]", equalTo("token:" + token.substring(3, 15)));
  }

  @Test
  void theAuditCanBeReadPageByPageAndNotChanged() {
    for (int i = 0; i < 3; i++) {
      credentials.token("t1", Scope.READ);
    }
    Response first = operator().get("/internal/audit?limit=2");
    first.then().body("entries.size()", equalTo(2)).body("after", notNullValue());
    Response second =
        operator().queryParam("after", first.<String>path("after")).get("/internal/audit?limit=1");
    second.then().statusCode(200).body("entries.size()", equalTo(1));
    assertFalse(
        first.<List<String>>path("entries.target").contains(second.path("entries[0].target")));
    for (String method : List.of("POST", "PUT", "DELETE", "PATCH")) {
      operator().request(method, "/internal/audit").then().statusCode(405);
    }
    operator().get("/internal/audit?after=x").then().statusCode(400);
    operator().get("/internal/audit?after=2001-01-01T00:00:00Z_").then().statusCode(400);
    operator()
        .get("/internal/audit?after=2001-01-01T00:00:00Z_" + UUID.randomUUID())
        .then()
        .body("entries", empty());
  }

  @Test
  void metricsAreForOperatorsAndTellNothingOfCredentials() {
    String token = credentials.token("t1", Scope.READ);
    as(token).get("/api/slots/slot").then().statusCode(400);
    given().get("/q/metrics").then().statusCode(404);
    as(token).get("/q/metrics").then().statusCode(404);
    operator()
        .get("/q/metrics")
        .then()
        .statusCode(200)
        .body(not(containsString("sf_")))
        .body(not(containsString(token.substring(3, 15))));
  }

  @Test
  void probesAndTheDescriptionNeedNoCredential() {
    for (String path : List.of("/health", "/q/health/live", "/q/health/ready", "/q/openapi")) {
      given().get(path).then().statusCode(200);
      as("rubbish").get(path).then().statusCode(200);
    }
  }

  @Test
  void whatIsNotThereIsNotThereForCallersAndAskedForOfOthers() {
    given().get("/api/nowhere").then().statusCode(401);
    operator().get("/api/nowhere").then().statusCode(404);
    given().get("/nowhere").then().statusCode(404);
    given().options("/internal/tokens").then().statusCode(404);
    given().delete("/internal/audit").then().statusCode(404);
  }

  @Test
  void twoCredentialsAreNone() throws Exception {
    String request =
        "GET /workshops/a/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            + "Authorization: Bearer "
            + internalToken
            + "\r\nAuthorization: Bearer x\r\n\r\n";
    try (java.net.Socket socket = new java.net.Socket(server.getHost(), server.getPort())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes());
      assertTrue(answer.startsWith("HTTP/1.1 401"), answer);
    }
  }

  @Test
  void aBodyArrivesWholeAfterACredentialWasLookedUp() throws Exception {
    for (int i = 0; i < 5; i++) { // each the first request of its token
      String token = credentials.token("t1", Scope.RESERVE);
      byte[] body =
          ("{\"requestId\":\"request\",\"seats\":1}" + " ".repeat(60_000))
              .getBytes(StandardCharsets.US_ASCII);
      RawHttp.Answer answer =
          RawHttp.send(
              server,
              "POST",
              "/api/tenants/t1/workshops/" + Client.freshWorkshop() + "/reservations",
              Map.of("Authorization", "Bearer " + token),
              body,
              i % 2 == 0);
      assertEquals(201, answer.status(), answer.body());
    }
  }

  @Test
  void randomHeadersAndBodiesNeverFailTheServiceOrFillItsMemory() throws Exception {
    List<String> faults = new CopyOnWriteArrayList<>();
    Handler collector = new Faults(faults);
    Logger.getLogger("").addHandler(collector);
    long seed = System.nanoTime();
    Random random = new Random(seed);
    String good = credentials.token("t1", Scope.values());
    String[] paths = {
      "/workshops/a/reservations", "/api/reservations/hold", "/internal/tokens",
      "/api/tenants/t1/workshops/a/holds", "/api/slots/groups", "/api/workshops/a/capacity"
    };
    try {
      for (int i = 0; i < FUZZED; i++) {
        String credential = mangled(good, random);
        RawHttp.Answer answer =
            RawHttp.send(
                server,
                random.nextInt(4) == 0 ? "PUT" : "POST",
                paths[random.nextInt(paths.length)],
                Map.of("Authorization", credential),
                mangled("{\"tenantId\":\"t1\",\"scopes\":[\"read\"],\"seats\":1}", random)
                    .getBytes(StandardCharsets.UTF_8),
                random.nextBoolean());
        assertTrue(answer.status() < 500, seed + ": " + answer.status() + " for " + credential);
      }
    } finally {
      Logger.getLogger("").removeHandler(collector);
    }
    assertEquals(List.of(), faults);
    assertTrue(tokens.remembered() <= 20_000);
  }

  /** A text with some of its characters changed, doubled or cut; printable, as headers must be. */
  private static String mangled(String text, Random random) {
    StringBuilder mangled = new StringBuilder(random.nextInt(3) == 0 ? "" : "Bearer ").append(text);
    for (int i = random.nextInt(4); i > 0 && !mangled.isEmpty(); i--) {
      int at = random.nextInt(mangled.length());
      switch (random.nextInt(4)) {
        case 0 -> mangled.setCharAt(at, (char) (' ' + random.nextInt(95)));
        case 1 -> mangled.setLength(at);
        case 2 -> mangled.insert(at, mangled.substring(random.nextInt(mangled.length())));
        default -> mangled.insert(at, "..".substring(random.nextInt(2)));
      }
    }
    return mangled.toString().strip();
  }

  private static final class Faults extends Handler {

    private final List<String> faults;

    Faults(List<String> faults) {
      this.faults = faults;
    }

    @Override
    public void publish(LogRecord event) {
      if (event.getLevel().intValue() >= java.util.logging.Level.SEVERE.intValue()
          || event.getMessage() != null && event.getMessage().contains("sf_")) {
        faults.add(event.getMessage());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}

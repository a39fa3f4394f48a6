package dev.seatfast.access;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.seatfast.support.Client;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Every described route with every kind of credential. */
@QuarkusTest
@TestProfile(ClosedProfile.class)
class AccessMatrixTest {

  /**
   * The status of each answer. The requests name tenant t1 and user anna.
   *
   * <pre>
   * nobody   no credential
   * bad      rubbish, an expired token, a revoked one, a forged identity: all the same
   * other    a token of tenant t2 with every scope that a tenant can have
   * reader   a token of t1 that may only read
   * backend  a token of t1 that may reserve, hold and read
   * ours     a token of no tenant that may reserve, hold, read and operate
   * anna     the identity of t1's user anna, who may reserve, hold and read
   * bob      the same of another user
   * operator the token of the configuration
   * </pre>
   */
  private static final String EXPECTED =
      """
      route                                                                       nobody bad other reader backend ours anna bob operator
      GET /health                                                                    200 200   200    200     200  200  200 200      200
      GET /api/whoami                                                                401 401   200    200     200  200  200 200      200
      POST /workshops/{workshop}/reservations                                        401 401   403    403     403  201  403 403      201
      GET /workshops/{workshop}/status                                               401 401   403    403     403  200  403 403      200
      GET /api/availability                                                          401 401   403    403     403  200  403 403      200
      POST /api/reservations/hold                                                    401 401   403    403     200  403  200 403      200
      POST /api/reservations/confirm                                                 401 401   403    403     409  403  409 403      409
      GET /api/slots                                                                 401 401   403    200     200  403  200 200      200
      GET /api/slots/slot                                                            401 401   403    200     200  403  200 200      200
      GET /api/slots/reservations/{reservationId}                                    401 401   403    404     404  403  404 403      404
      POST /api/slots/reservations/{reservationId}/confirm                           401 401   403    403     409  403  409 403      409
      POST /api/slots/reservations/{reservationId}/cancel                            401 401   403    403     409  403  409 403      409
      POST /api/slots/reservations/{reservationId}/extend                            401 401   403    403     409  403  409 403      409
      POST /api/slots/groups                                                         401 401   403    403     200  403  200 403      200
      POST /api/slots/groups/{groupId}/confirm                                       401 401   403    403     409  403  409 403      409
      POST /api/slots/groups/{groupId}/cancel                                        401 401   403    403     409  403  409 403      409
      POST /api/slots/groups/{groupId}/extend                                        401 401   403    403     409  403  409 403      409
      POST /api/workshops/{workshop}/holds                                           401 401   403    403     403  200  403 403      200
      GET /api/workshops/{workshop}/holds/{reservationId}                            401 401   403    403     403  404  403 403      404
      POST /api/workshops/{workshop}/holds/{reservationId}/confirm                   401 401   403    403     403  409  403 403      409
      POST /api/workshops/{workshop}/holds/{reservationId}/cancel                    401 401   403    403     403  409  403 403      409
      POST /api/workshops/{workshop}/holds/{reservationId}/extend                    401 401   403    403     403  409  403 403      409
      POST /api/tenants/{tenant}/workshops/{workshop}/reservations                   401 401   403    403     201  403  201 201      201
      GET /api/tenants/{tenant}/workshops/{workshop}/status                          401 401   403    200     200  403  200 200      200
      GET /api/tenants/{tenant}/availability                                         401 401   403    200     200  403  200 200      200
      POST /api/tenants/{tenant}/workshops/{workshop}/holds                          401 401   403    403     200  403  200 403      200
      GET /api/tenants/{tenant}/workshops/{workshop}/holds/{reservationId}           401 401   403    404     404  403  404 403      404
      POST /api/tenants/{tenant}/workshops/{workshop}/holds/{reservationId}/confirm  401 401   403    403     409  403  409 403      409
      POST /api/tenants/{tenant}/workshops/{workshop}/holds/{reservationId}/cancel   401 401   403    403     409  403  409 403      409
      POST /api/tenants/{tenant}/workshops/{workshop}/holds/{reservationId}/extend   401 401   403    403     409  403  409 403      409
      PUT /api/workshops/{workshop}/capacity                                         404 404   404    404     404  200  404 404      200
      GET /api/workshops/{workshop}/opening                                          404 404   404    404     404  200  404 404      200
      PUT /api/workshops/{workshop}/opening                                          404 404   404    404     404  200  404 404      200
      GET /api/workshops/{workshop}/attempts                                         404 404   404    404     404  200  404 404      200
      PUT /api/tenants/{tenant}/workshops/{workshop}/capacity                        404 404   404    404     404  404  404 404      200
      GET /api/tenants/{tenant}/workshops/{workshop}/opening                         404 404   404    404     404  404  404 404      200
      PUT /api/tenants/{tenant}/workshops/{workshop}/opening                         404 404   404    404     404  404  404 404      200
      GET /api/tenants/{tenant}/workshops/{workshop}/attempts                        404 404   404    404     404  404  404 404      200
      POST /internal/sweep                                                           404 404   404    404     404  404  404 404      200
      GET /internal/events                                                           404 404   404    404     404  404  404 404      200
      GET /internal/invariants                                                       404 404   404    404     404  404  404 404      200
      GET /internal/audit                                                            404 404   404    404     404  404  404 404      200
      POST /internal/tokens                                                          404 404   403    404     404  404  404 404      201
      GET /internal/tokens                                                           404 404   200    404     404  404  404 404      200
      POST /internal/tokens/{id}/revoke                                              404 404   404    404     404  404  404 404      404
      """;

  private static final ObjectMapper JSON = new ObjectMapper();

  @Inject Credentials credentials;

  @ConfigProperty(name = "seatfast.internal-token")
  String internalToken;

  @Test
  void everyRouteAnswersEveryCallerAsTheTableSays() throws IOException {
    Map<String, Map<String, Integer>> table = table();
    assertEquals(table.keySet(), routes(), "the table has every described route, and no other");
    Map<String, List<String>> callers = callers();
    List<Executable> checks = new ArrayList<>();
    table.forEach(
        (route, row) ->
            row.forEach(
                (caller, status) ->
                    callers
                        .get(caller)
                        .forEach(
                            credential ->
                                checks.add(() -> check(route, caller, credential, status)))));
    assertAll(checks);
  }

  private static void check(String route, String caller, String credential, int expected) {
    Response answer = send(route, credential);
    assertEquals(
        expected, answer.statusCode(), () -> route + " of " + caller + ": " + answer.asString());
    String challenge = answer.header("WWW-Authenticate");
    switch (expected) {
      case 401 -> {
        assertEquals("{\"error\":\"unauthorized\"}", answer.asString());
        assertEquals(
            "Bearer realm=\"seatfast\"" + (credential.isEmpty() ? "" : ", error=\"invalid_token\""),
            challenge);
      }
      case 403 -> assertEquals("{\"error\":\"forbidden\"}", answer.asString());
      case 404 -> assertEquals("{\"error\":\"not_found\"}", answer.asString());
      default -> assertEquals(null, challenge);
    }
  }

  private static Response send(String route, String credential) {
    String[] parts = route.split(" ");
    String path =
        parts[1]
            .replace("{workshop}", Client.freshWorkshop())
            .replace("{tenant}", "t1")
            .replaceAll("\\{(reservationId|groupId)}", UUID.randomUUID().toString())
            .replace("{id}", "NoTokensId12");
    String resource = UUID.randomUUID().toString();
    RequestSpecification request =
        given()
            .queryParam("tenantId", "t1")
            .queryParam("resourceId", resource)
            .queryParam("userId", "anna")
            .queryParam("workshops", "a,b")
            .queryParam("slotStartIso", "2030-01-01T10:00:00Z")
            .queryParam("from", "2030-01-01T10:00:00Z")
            .queryParam("to", "2030-01-02T10:00:00Z");
    if (!credential.isEmpty()) {
      request.header("Authorization", "Bearer " + credential);
    }
    if (!parts[0].equals("GET")) {
      request.body(
          """
          {"tenantId": "t1", "resourceId": "%1$s", "slotStartIso": "2030-01-01T10:00:00Z",
           "slots": [{"resourceId": "%1$s", "slotStartIso": "2030-01-01T10:00:00Z"}],
           "userId": "anna", "idempotencyKey": "key", "reservationId": "%1$s",
           "requestId": "request", "seats": 1, "capacity": 5, "scopes": ["read"], "tenant": "t1"}
          """
              .formatted(resource));
    }
    return request.request(parts[0], path);
  }

  private Map<String, List<String>> callers() {
    Scope[] all =
        Arrays.stream(Scope.values())
            .filter(scope -> scope != Scope.ANY_TENANT)
            .toArray(Scope[]::new);
    String anna = credentials.identity("anna", "t1", "reserve hold read");
    String forged = anna.substring(0, anna.lastIndexOf('.')) + ".AAAA";
    return Map.of(
        "nobody", List.of(""),
        "bad",
            List.of(
                "rubbish",
                "sf_rubbish",
                credentials.expired("t1", Scope.values()),
                credentials.revoked("t1", Scope.values()),
                forged,
                internalToken + "x"),
        "other", List.of(credentials.token("t2", all)),
        "reader", List.of(credentials.token("t1", Scope.READ)),
        "backend", List.of(credentials.token("t1", Scope.RESERVE, Scope.HOLD, Scope.READ)),
        "ours",
            List.of(credentials.token(null, Scope.RESERVE, Scope.HOLD, Scope.READ, Scope.OPERATE)),
        "anna", List.of(anna),
        "bob", List.of(credentials.identity("bob", "t1", "reserve hold read")),
        "operator", List.of(internalToken, credentials.token(null, Scope.values())));
  }

  private static Map<String, Map<String, Integer>> table() {
    Map<String, Map<String, Integer>> table = new TreeMap<>();
    List<String> lines = EXPECTED.lines().toList();
    String[] names = lines.get(0).trim().split(" +");
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.trim().split(" +");
      Map<String, Integer> row = new LinkedHashMap<>();
      for (int i = 1; i < names.length; i++) {
        row.put(names[i], Integer.valueOf(cells[i + 1]));
      }
      table.put(cells[0] + " " + cells[1], row);
    }
    return table;
  }

  private TreeSet<String> routes() throws IOException {
    JsonNode paths =
        JSON.readTree(given().get("/q/openapi-generated?format=json").asString()).get("paths");
    TreeSet<String> routes = new TreeSet<>();
    paths
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        method -> {
                          if (List.of("get", "put", "post", "delete", "patch").contains(method)) {
                            routes.add(method.toUpperCase() + " " + path.getKey());
                          }
                        }));
    return routes;
  }
}

package dev.seatfast.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.seatfast.support.RawHttp;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages of other origins, where Quarkus' own properties let them in. */
@QuarkusTest
@TestProfile(CorsTest.On.class)
class CorsTest {

  private static final String ORIGIN = "https://shop.example";

  @TestHTTPResource URI server;

  /** CORS is switched on as Quarkus' documentation says. */
  public static final class On implements QuarkusTestProfile {

    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "quarkus.http.cors.enabled",
          "true",
          "quarkus.http.cors.origins",
          ORIGIN,
          "quarkus.http.cors.methods",
          "GET,POST",
          "quarkus.http.cors.headers",
          "content-type");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/workshops/cors/reservations, POST",
    "/workshops/cors/status, GET",
    "/api/reservations/hold, POST",
    "/api/reservations/confirm, POST",
    "/api/slots/groups, POST",
    "/health, GET"
  })
  void aPreflightIsAnswered(String path, String method) {
    given()
        .header("Origin", ORIGIN)
        .header("Access-Control-Request-Method", method)
        .header("Access-Control-Request-Headers", "content-type")
        .options(path)
        .then()
        .statusCode(200)
        .header("Access-Control-Allow-Origin", ORIGIN)
        .header("Access-Control-Allow-Methods", "GET,POST")
        .header("Access-Control-Allow-Headers", "content-type");
  }

  @Test
  void anAnswerMayBeReadByThePage() {
    given()
        .header("Origin", ORIGIN)
        .get("/workshops/cors/status")
        .then()
        .statusCode(200)
        .header("Access-Control-Allow-Origin", ORIGIN);
  }

  @ParameterizedTest
  @CsvSource({
    "400, GET, /workshops/CORS/status",
    "405, POST, /workshops/cors/status",
    "404, GET, /workshops/cors",
    "405, GET, /api/reservations/hold",
    "404, GET, /internal/events",
    "404, GET, /nowhere",
    "404, GET, /health;x"
  })
  void soMayAnEarlyError(int status, String method, String path) {
    given()
        .header("Origin", ORIGIN)
        .request(method, path)
        .then()
        .statusCode(status)
        .header("Access-Control-Allow-Origin", ORIGIN);
  }

  @Test
  void aPageOfAnotherOriginIsKeptOut() {
    given()
        .header("Origin", "https://elsewhere.example")
        .header("Access-Control-Request-Method", "POST")
        .options("/workshops/cors/reservations")
        .then()
        .header("Access-Control-Allow-Origin", nullValue());
  }

  @Test
  void anOptionsRequestThatIsNoPreflightIsAnsweredByTheContract() {
    given().header("Origin", ORIGIN).options("/workshops/cors/reservations").then().statusCode(403);
    given()
        .options("/workshops/cors/reservations")
        .then()
        .statusCode(405)
        .body("error", equalTo("method_not_allowed"));
  }

  @Test
  void aTargetThatIsNoUriFailsNoFilter() throws IOException {
    RawHttp.Answer answer =
        RawHttp.send(
            server,
            "GET",
            "/api/slots?tenantId=%",
            Map.of("Origin", "http://elsewhere.example"),
            null,
            false);
    assertEquals("{\"error\":\"bad_request\"}", answer.body());
  }
}

package dev.seatfast.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.seatfast.support.RawHttp;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class ErrorResponsesTest {

  @TestHTTPResource URI server;

  @Test
  void aClientThatAsksForProblemsGetsThem() {
    given()
        .accept("application/problem+json")
        .get("/workshops/BAD/status")
        .then()
        .statusCode(400)
        .contentType("application/problem+json")
        .body("status", equalTo(400))
        .body("code", equalTo("invalid_workshop_name"));
    given()
        .accept("application/problem+json")
        .body("{")
        .post("/workshops/good/reservations")
        .then()
        .statusCode(400)
        .contentType("application/problem+json")
        .body("code", equalTo("invalid_json"));
    given()
        .accept("application/problem+json")
        .get("/nowhere")
        .then()
        .statusCode(404)
        .contentType("application/problem+json")
        .body("code", equalTo("not_found"));
  }

  @Test
  void whateverElseAClientAcceptsItGetsJson() {
    given().accept("text/html").get("/workshops/good/status").then().statusCode(200);
    given().accept("image/png;q=x, ,").get("/workshops/good/status").then().statusCode(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "nonsense"
      })
  void aContentTypeDoesNotMatterAsLongAsTheBytesAreJson(String contentType) throws IOException {
    RawHttp.Answer answer =
        post("{\"requestId\":\"any\",\"seats\":5}".getBytes(), contentType, false);
    assertEquals("{\"error\":\"invalid_reservation\"}", answer.body());
  }

  @Test
  void aBodyThatGrowsTooLargeOnTheWayIsRefused() throws IOException {
    RawHttp.Answer answer = post(new byte[1_000_000], "application/json", true);
    assertEquals(413, answer.status());
    assertEquals("{\"error\":\"body_too_large\"}", answer.body());
  }

  @Test
  void aBodyOfExactlySixtyFourKibibytesIsRead() throws IOException {
    byte[] body = new byte[64 * 1024];
    java.util.Arrays.fill(body, (byte) ' ');
    assertEquals("{\"error\":\"invalid_json\"}", post(body, "application/json", true).body());
    assertEquals("{\"error\":\"invalid_json\"}", post(body, "application/json", false).body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e999999999",
        "1e-999999999",
        "1e99999999999",
        "-1e999999999",
        "123456789e999999990"
      })
  void anAbsurdNumberIsRefusedWithoutBeingWrittenOut(String seats) throws IOException {
    RawHttp.Answer answer =
        post(
            "{\"requestId\":\"any\",\"seats\":%s}".formatted(seats).getBytes(),
            "application/json",
            false);
    assertEquals(400, answer.status());
  }

  @Test
  void textThatIsNotUtf8IsNotJson() throws IOException {
    byte[] utf16 =
        "{\"requestId\":\"any\",\"seats\":1}".getBytes(java.nio.charset.StandardCharsets.UTF_16);
    assertEquals("{\"error\":\"invalid_json\"}", post(utf16, "application/json", false).body());
    byte[] broken = {'"', (byte) 0xC3, '"'};
    assertEquals("{\"error\":\"invalid_json\"}", post(broken, "application/json", false).body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/workshops/a%/status", "/workshops/%zz/status", "/%", "/elsewhere/%/x"})
  void aMalformedPathIsABadRequest(String path) throws IOException {
    assertEquals(400, RawHttp.send(server, "GET", path, Map.of(), null, false).status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/nowhere",
        "/workshops",
        "/api",
        "/internal",
        "/health/",
        "/workshops/a/./status",
        "/health;x=1",
        "/workshops/a/status;x"
      })
  void whatIsNotThereIsNotFoundInJson(String path) throws IOException {
    RawHttp.Answer answer = RawHttp.send(server, "GET", path, Map.of(), null, false);
    assertEquals(404, answer.status());
    assertEquals("{\"error\":\"not_found\"}", answer.body());
    assertEquals("application/json", answer.headers().get("content-type"));
  }

  @Test
  void everyAnswerForbidsGuessingItsTypeAndKeepingIt() {
    given()
        .get("/health")
        .then()
        .header("X-Content-Type-Options", "nosniff")
        .header("Cache-Control", "no-store");
    given()
        .get("/workshops/BAD/status")
        .then()
        .header("X-Content-Type-Options", "nosniff")
        .header("Cache-Control", "no-store");
  }

  private RawHttp.Answer post(byte[] body, String contentType, boolean chunked) throws IOException {
    return RawHttp.send(
        server,
        "POST",
        "/workshops/good/reservations",
        Map.of("Content-Type", contentType),
        body,
        chunked);
  }
}

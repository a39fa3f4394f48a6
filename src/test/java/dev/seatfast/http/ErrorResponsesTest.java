package dev.seatfast.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.seatfast.support.RawHttp;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    Arrays.fill(body, (byte) ' ');
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
    byte[] utf16 = "{\"requestId\":\"any\",\"seats\":1}".getBytes(StandardCharsets.UTF_16);
    assertEquals("{\"error\":\"invalid_json\"}", post(utf16, "application/json", false).body());
    byte[] broken = {'"', (byte) 0xC3, '"'};
    assertEquals("{\"error\":\"invalid_json\"}", post(broken, "application/json", false).body());
  }

  @Test
  void aByteOrderMarkAndCompressionAreNotJson() throws IOException {
    String json = "{\"requestId\":\"any\",\"seats\":1}";
    assertEquals(
        "{\"error\":\"invalid_json\"}",
        post(("\uFEFF" + json).getBytes(StandardCharsets.UTF_8), "application/json", false).body());
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(zipped)) {
      zip.write(json.getBytes(StandardCharsets.UTF_8));
    }
    RawHttp.Answer answer =
        RawHttp.send(
            server,
            "POST",
            "/workshops/good/reservations",
            Map.of("Content-Encoding", "gzip"),
            zipped.toByteArray(),
            false);
    assertEquals("{\"error\":\"invalid_json\"}", answer.body());
  }

  @ParameterizedTest
  @CsvSource({
    "400, invalid_workshop_name, /workshops/a%/status",
    "400, invalid_workshop_name, /workshops/%/status",
    "400, invalid_workshop_name, /workshops/%zz/status",
    "400, invalid_workshop_name, /workshops/a%6/status",
    "400, invalid_workshop_name, /workshops/a%ff/status",
    "400, invalid_workshop_name, /workshops/%C3%A9/status",
    "400, invalid_workshop_name, /workshops/%ED%A0%80/status",
    "400, invalid_workshop_name, /workshops/a\u00e9/status",
    "400, invalid_workshop_name, /workshops/a|b/status",
    "400, invalid_workshop_name, /workshops/{a}/status?x=%",
    "400, invalid_workshop_name, /workshops/a;b=c/status",
    "400, invalid_workshop_name, /workshops/a;/status",
    "404, not_found, /workshops/a%/nothing",
    "404, not_found, /workshops/a/stat%",
    "404, not_found, /workshops/%",
    "400, bad_request, /workshops/a/status?%",
    "400, bad_request, /%",
    "400, bad_request, /%zz/status",
    "400, bad_request, /%c3%28",
    "400, bad_request, /api/slots?tenantId=%",
    "400, bad_request, /api/slots?tenantId=%ff",
    "400, bad_request, /api/slots?tenantId=\u00e9",
    "400, bad_request, /api/reservations/hold%",
    "400, bad_request, /api/workshops/a%/holds/x",
    "400, bad_request, /internal/%",
    "400, bad_request, /health#fragment",
    "400, bad_request, /q/health/<>",
    "404, not_found, nothing",
    "404, not_found, *"
  })
  void aTargetThatIsNoUriIsRefusedInJson(int status, String code, String target)
      throws IOException {
    RawHttp.Answer answer = RawHttp.send(server, "GET", target, Map.of(), null, false);
    assertEquals(status, answer.status());
    assertEquals("{\"error\":\"%s\"}".formatted(code), answer.body());
    assertEquals("application/json", answer.headers().get("content-type"));
    assertEquals("nosniff", answer.headers().get("x-content-type-options"));
    assertEquals("no-store", answer.headers().get("cache-control"));
  }

  @Test
  void aHostThatIsNoneIsRefusedInJsonAndQuietly() throws IOException {
    RawHttp.Answer answer =
        RawHttp.send(server, "GET", "/health", Map.of("Host", "here:99999999"), null, false);
    assertEquals(400, answer.status());
    assertEquals("{\"error\":\"bad_request\"}", answer.body());
  }

  @Test
  void anErrorOfHeadHasNoBody() {
    given().head("/workshops/good/status").then().statusCode(405).body(equalTo(""));
    given().head("/nowhere").then().statusCode(404).body(equalTo(""));
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
        "/workshops/a/status;x",
        "/api/slots;x",
        "/q/health/group/any",
        "/q/health/./group/any",
        "/q/health/groups",
        "/api/reservations/hold;x"
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
    given()
        .get("/q/health/live")
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

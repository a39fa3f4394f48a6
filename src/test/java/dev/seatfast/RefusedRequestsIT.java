package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.seatfast.support.RawHttp;
import dev.seatfast.support.ServiceProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What HTTP itself forbids is answered in our form as well, though no route ever sees it. */
class RefusedRequestsIT {

  private static final String GET = "GET /health HTTP/1.1\r\nHost: here\r\n";
  private static final String LONG = "x".repeat(20_000);

  private static final String REFUSED = "Refused a request: ";

  @TempDir static Path folder;

  private static ServiceProcess service;
  private static URI server;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> settings = new HashMap<>(ServiceProcess.onEmbeddedDatabase(folder));
    settings.put("QUARKUS_LOG_LEVEL", "DEBUG");
    settings.put("QUARKUS_LOG_CONSOLE_ASYNC_ENABLED", "false");
    service = ServiceProcess.start(settings);
    server = service.url();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @ParameterizedTest
  @CsvSource({
    "400, bad_request, GET HTTP/1.1|Host: here||",
    "400, bad_request, GET /health HTTP/1.1||",
    "400, bad_request, GET /health HTTP/1.1|Host: here|Host: here||",
    "400, bad_request, GET /health HTTP/1.0|Host: here|Host: there||",
    "400, bad_request, GET /health HTTP/1.1|Host: here/there||",
    "400, bad_request, GET /health HTTQ/1.1|Host: here||",
    "400, bad_request, GET /health HTTP/x.y|Host: here||",
    "505, http_version_not_supported, GET /health HTTP/2.0|Host: here||",
    "505, http_version_not_supported, GET /health HTTP/1.9|Host: here||",
    "400, bad_request, GET /health HTTP/1.1|Host: here|X Y: 1||",
    "400, bad_request, GET /health HTTP/1.1|Host: here|X : 1||",
    "400, bad_request, GET /health HTTP/1.1|Host: here|X: a\u0000b||",
    "400, bad_request, GET /health HTTP/1.1|Host: here|no colon||",
    "414, uri_too_long, GET /health?LONG HTTP/1.1|Host: here||",
    "431, headers_too_large, GET /health HTTP/1.1|Host: here|X: LONG||"
  })
  void aRequestThatIsNoneIsRefusedInOurForm(int status, String code, String request)
      throws IOException {
    String bytes = request.replace("|", "\r\n").replace("LONG", LONG);
    int before = service.log().length();
    List<RawHttp.Answer> answers = RawHttp.talk(server, bytes + GET + "\r\n");
    assertEquals(1, answers.size(), "nothing after it is answered");
    assertRefusal(status, code, answers.get(0));
    String said = service.log().substring(before);
    assertEquals(1, said.split(REFUSED, -1).length - 1, said);
    assertFalse(said.contains("exception") || said.contains("\"ERROR\""), said);
  }

  @Test
  void aClientThatAsksForProblemsGetsOne() throws IOException {
    RawHttp.Answer answer =
        RawHttp.talk(server, GET + "Host: there\r\nAccept: application/problem+json\r\n\r\n")
            .get(0);
    assertEquals("application/problem+json", answer.headers().get("content-type"));
    assertEquals(
        "{\"type\":\"about:blank\",\"title\":\"The request is not valid\",\"status\":400,"
            + "\"code\":\"bad_request\"}",
        answer.body());
  }

  @Test
  void requestsBeforeItGetTheirAnswersFirst() throws IOException {
    String post =
        "POST /workshops/order/reservations HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\n{}";
    List<RawHttp.Answer> answers =
        RawHttp.talk(
            server,
            "GET /workshops/order/status HTTP/1.1\r\nHost: here\r\n\r\n"
                + post
                + post
                + "x y z\r\n\r\n");
    assertEquals(
        List.of(200, 400, 400, 400), answers.stream().map(RawHttp.Answer::status).toList());
    assertEquals("{\"error\":\"invalid_reservation\"}", answers.get(2).body());
    assertRefusal(400, "bad_request", answers.get(3));
  }

  @Test
  void anErrorWithoutABodyLeavesTheConnectionOpen() throws IOException {
    String bad = "GET /workshops/BAD/status HTTP/1.1\r\nHost: here\r\n\r\n";
    List<RawHttp.Answer> answers =
        RawHttp.talk(server, bad + bad + GET + "Connection: close\r\n\r\n");
    assertEquals(List.of(400, 400, 200), answers.stream().map(RawHttp.Answer::status).toList());
  }

  @ParameterizedTest
  @CsvSource({
    "Upgrade: h2c|Connection: upgrade",
    "Upgrade: h2c|Connection: upgrade\\, http2-settings",
    "Upgrade: h2c|Connection: upgrade\\, http2-settings|HTTP2-Settings: %",
    "Upgrade: h2c|Connection: upgrade\\, http2-settings|HTTP2-Settings: AAMA",
    "Upgrade: h2c|Connection: upgrade|Connection: http2-settings|HTTP2-Settings: AAMAAABk",
    "Upgrade: h2c|Connection: upgrade\\, http2-settings|HTTP2-Settings: AAMAAABk|Expect: 100-continue",
    "Upgrade: websocket|Connection: upgrade|Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==|Sec-WebSocket-Version: 13"
  })
  void anUpgradeThatSaysNotEnoughIsIgnored(String headers) throws IOException {
    String request = GET + headers.replace("\\,", ",").replace("|", "\r\n") + "\r\n\r\n";
    List<RawHttp.Answer> answers =
        RawHttp.talk(server, request + GET + "Connection: close\r\n\r\n");
    assertEquals("{\"status\":\"ok\"}", answers.get(answers.size() - 1).body());
  }

  private static void assertRefusal(int status, String code, RawHttp.Answer answer) {
    assertEquals(status, answer.status());
    assertEquals("{\"error\":\"%s\"}".formatted(code), answer.body());
    assertEquals("application/json", answer.headers().get("content-type"));
    assertEquals("nosniff", answer.headers().get("x-content-type-options"));
    assertEquals("no-store", answer.headers().get("cache-control"));
    assertEquals("close", answer.headers().get("connection").toLowerCase(Locale.ROOT));
  }
}

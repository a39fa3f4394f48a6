package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.seatfast.support.Client;
import dev.seatfast.support.RawHttp;
import dev.seatfast.support.ServiceProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A body that does not end where everybody sees its end is never run as the next request. */
class RequestLengthIT {

  private static final String BODY = "{\"requestId\":\"first\",\"seats\":1}";
  private static final String CHUNKS = "1f\r\n" + BODY + "\r\n0\r\n\r\n";

  @TempDir static Path folder;

  private static ServiceProcess service;
  private static URI server;

  @BeforeAll
  static void start() throws IOException {
    service = ServiceProcess.start(ServiceProcess.onEmbeddedDatabase(folder));
    server = service.url();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private final String workshop = Client.freshWorkshop();

  /** Each row is a header, or several; CL stands for the right length. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: identity",
        "Transfer-Encoding: gzip",
        "Transfer-Encoding: chunked;q=1",
        "Transfer-Encoding: \"chunked\"",
        "Transfer-Encoding: ",
        "Transfer-Encoding: , chunked",
        "Transfer-Encoding: chunked,",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: chunked, gzip",
        "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: chunked|Transfer-Encoding: chunked",
        "Transfer-Encoding: chunked|Transfer-Encoding: identity",
        "Transfer-Encoding: identity|Transfer-Encoding: chunked",
        "Transfer-Encoding: \u000bchunked",
        "Transfer-Encoding : chunked",
        "Transfer-Encoding\u0000: chunked",
        " Transfer-Encoding: chunked",
        "Transfer-Encoding: chunked|Content-Length: CL",
        "Content-Length: CL|Transfer-Encoding: chunked",
        "Transfer-Encoding: xchunked|Content-Length: CL",
        "Content-Length: 5|Content-Length: CL",
        "Content-Length: CL|Content-Length: CL",
        "Content-Length: CL, CL",
        "Content-Length: +CL",
        "Content-Length: -1",
        "Content-Length: 0x1f",
        "Content-Length: 3 1",
        "Content-Length: x",
        "Content-Length: ",
        "Content-Length: 99999999999999999999",
        "Content-Length : CL",
      })
  void whereTheLengthIsNotClearTheConnectionEnds(String headers) throws Exception {
    for (String body : List.of("", BODY, CHUNKS)) {
      String head =
          "POST /workshops/%s/reservations HTTP/1.1\r\nHost: here\r\n%s\r\n\r\n"
              .formatted(
                  workshop,
                  headers.replace("|", "\r\n").replace("CL", Integer.toString(BODY.length())));
      assertNothingButABadRequest(head + body);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zz\r\n" + BODY + "\r\n0\r\n\r\n",
        "-1f\r\n" + BODY + "\r\n0\r\n\r\n",
        "1f\n" + BODY + "\n0\n\n",
        "1f\r\n" + BODY + "0\r\n\r\n",
        "ffffffffff\r\n" + BODY,
        "\r\n"
      })
  void aBrokenChunkEndsTheConnection(String body) throws Exception {
    assertNothingButABadRequest(
        "POST /workshops/%s/reservations HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n"
                .formatted(workshop)
            + body);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /workshops/%s/reservations HTTP/1.1\nHost: here\nContent-Length: 31\n\n",
        "POST /workshops/%s/reservations HTTP/1.1\r\nHost: here\rContent-Length: 31\r\n\r\n",
        "POST /workshops/%s/reservations HTTP/1.0\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET /workshops/%s/status HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: xchunked\r\n\r\n"
      })
  void aHeadThatTwoProgramsCouldReadDifferentlyEndsTheConnection(String head) throws Exception {
    assertNothingButABadRequest(head.formatted(workshop) + CHUNKS);
  }

  @Test
  void aLengthThatIsClearIsRead() throws Exception {
    String head = "POST /workshops/%s/reservations HTTP/1.1\r\nHost: here\r\n".formatted(workshop);
    List<RawHttp.Answer> answers =
        RawHttp.talk(
            server,
            head
                + "Content-Length: 31\r\n\r\n"
                + BODY
                + head
                + "Transfer-Encoding: Chunked\r\n\r\n1f;extension=1\r\n"
                + BODY
                + "\r\n0\r\nTrailer: x\r\n\r\n"
                + head
                + "Connection: close\r\nContent-Length: 31\r\n\r\n"
                + BODY);
    assertEquals(List.of(201, 201, 201), answers.stream().map(RawHttp.Answer::status).toList());
  }

  @Test
  void afterABodyThatIsTooLargeTheConnectionEnds() throws Exception {
    String head = "POST /workshops/%s/reservations HTTP/1.1\r\nHost: here\r\n".formatted(workshop);
    String next = head + "Content-Length: 31\r\n\r\n" + BODY;
    for (String large :
        List.of(
            "Content-Length: 70000\r\n\r\n" + "x".repeat(70_000),
            "Transfer-Encoding: chunked\r\n\r\n11170\r\n" + "x".repeat(70_000) + "\r\n0\r\n\r\n")) {
      List<RawHttp.Answer> answers = RawHttp.talk(server, head + large + next);
      assertEquals(
          List.of("{\"error\":\"body_too_large\"}"),
          answers.stream().map(RawHttp.Answer::body).toList());
    }
    assertEquals(0, new Client(server).status(workshop).get("acceptedRequests").intValue());
  }

  /** And that neither it nor what comes after it was decided. */
  private void assertNothingButABadRequest(String request) throws Exception {
    String next =
        "POST /workshops/%s/reservations HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(workshop, BODY.length(), BODY);
    List<RawHttp.Answer> answers = RawHttp.talk(server, request + next);
    assertEquals(
        List.of("{\"error\":\"bad_request\"}"),
        answers.stream().map(RawHttp.Answer::body).toList());
    assertEquals(400, answers.get(0).status());
    assertEquals(0, new Client(server).status(workshop).get("acceptedRequests").intValue());
  }
}

package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.support.Client;
import dev.seatfast.support.Http2Client;
import dev.seatfast.support.RawHttp;
import dev.seatfast.support.ServiceProcess;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClientRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A request that was begun before a stop is answered, and its client learns that it has to go. */
class StopIT {

  private static final String BODY = "{\"requestId\":\"begun\",\"seats\":1}";
  private static final int STOPPED_BY_A_SIGNAL = 143;

  @TempDir Path folder;

  @Test
  void overHttp2ItIsAnsweredAndTheConnectionGoesAway() throws Exception {
    ServiceProcess service = ServiceProcess.start(ServiceProcess.onEmbeddedDatabase(folder));
    CountDownLatch goAway = new CountDownLatch(1);
    try (Http2Client client = Http2Client.knowing(service.url())) {
      HttpClientRequest request = client.begin("POST", path());
      request.connection().goAwayHandler(frame -> goAway.countDown());
      Future<RawHttp.Answer> answer = Http2Client.answer(request);
      request.setChunked(true).write(BODY.substring(0, 10));
      client.send("GET", "/health", Map.of(), null, false);
      stop(service);
      request.end(BODY.substring(10));
      assertEquals(201, Http2Client.await(answer).status());
      assertTrue(goAway.await(10, TimeUnit.SECONDS));
    }
    assertEquals(STOPPED_BY_A_SIGNAL, service.awaitExit());
  }

  @Test
  void overHttp1ItIsAnsweredAndTheConnectionEnds() throws Exception {
    ServiceProcess service = ServiceProcess.start(ServiceProcess.onEmbeddedDatabase(folder));
    try (Socket socket = new Socket(service.url().getHost(), service.url().getPort())) {
      socket.setSoTimeout(30_000);
      String head =
          "POST %s HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n\r\n"
              .formatted(path(), BODY.length());
      send(socket, head + BODY.substring(0, 10));
      assertEquals(200, service.client().get("/health").status());
      stop(service);
      send(socket, BODY.substring(10));
      List<String> lines =
          new BufferedReader(
                  new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
              .lines()
              .toList();
      assertEquals("HTTP/1.1 201 Created", lines.get(0));
    }
    assertEquals(STOPPED_BY_A_SIGNAL, service.awaitExit());
  }

  private static String path() {
    return "/workshops/" + Client.freshWorkshop() + "/reservations";
  }

  private static void stop(ServiceProcess service) {
    service.terminate();
    Awaitility.await().until(() -> service.log().contains("Waiting for HTTP requests to complete"));
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }
}

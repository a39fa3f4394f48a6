package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.seatfast.support.ServiceProcess;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the packaged service, whose connections are guarded. */
class UnreadBodyIT {

  private static final int ANSWER_MS_MAX = 10_000;

  @TempDir Path folder;

  @Test
  void afterABodyThatIsTooLargeTheConnectionEndsAndNothingOfItIsTakenForARequest()
      throws Exception {
    String large =
        "POST /workshops/good/reservations HTTP/1.1\r\nHost: here\r\nContent-Length: 70000\r\n\r\n"
            + "x".repeat(70_000)
            + "GET /health HTTP/1.1\r\nHost: here\r\n\r\n";
    Map<String, String> settings =
        Map.of(
            "SEATFAST_EMBEDDED_DATABASE",
            "true",
            "SEATFAST_EMBEDDED_DATABASE_DIR",
            folder.resolve("db").toString());
    try (ServiceProcess service = ServiceProcess.start(settings);
        Socket socket = new Socket(service.url().getHost(), service.url().getPort())) {
      socket.setSoTimeout(ANSWER_MS_MAX);
      try {
        socket.getOutputStream().write(large.getBytes(StandardCharsets.US_ASCII));
      } catch (IOException e) {
        // The server stopped reading, which is the point.
      }
      assertFalse(answers(socket).contains("200 OK"));
    }
  }

  private static String answers(Socket socket) throws IOException {
    try {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    } catch (SocketException e) {
      return ""; // closed with bytes unread, the connection may be reset
    }
  }
}

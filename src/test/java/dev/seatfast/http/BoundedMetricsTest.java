package dev.seatfast.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.support.RawHttp;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.URI;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Whatever clients invent, the metrics keep their size: each series is memory for ever. */
@QuarkusTest
class BoundedMetricsTest {

  private static final int INVENTIONS = 3_000;

  /** What a client may choose, with % for what it invents. */
  private static final String[] REQUESTS = {
    "M% /health HTTP/1.1\r\nHost: here\r\n\r\n",
    "M% /p% HTTP/1.1\r\nHost: here\r\n\r\n",
    "M% /workshops/w%/status HTTP/1.1\r\nHost: here\r\n\r\n",
    "GET /p% HTTP/1.1\r\nHost: here\r\n\r\n",
    "GET /p/%/ HTTP/1.1\r\nHost: here\r\n\r\n",
    "GET /workshops/W%/status HTTP/1.1\r\nHost: here\r\n\r\n",
    "GET /workshops/w/p% HTTP/1.1\r\nHost: here\r\n\r\n",
    "GET /api/slots/% HTTP/1.1\r\nHost: here\r\n\r\n",
    "GET /api/workshops/%/holds HTTP/1.1\r\nHost: here\r\n\r\n",
    "GET /api/p% HTTP/1.1\r\nHost: here\r\n\r\n",
    "GET /api/reservations/p% HTTP/1.1\r\nHost: here\r\n\r\n",
    "GET /internal/% HTTP/1.1\r\nHost: here\r\n\r\n",
    "GET /p<% HTTP/1.1\r\nHost: here\r\n\r\n",
    "GET /health;p=% HTTP/1.1\r\nHost: here\r\n\r\n",
    "GET p% HTTP/1.1\r\nHost: here\r\n\r\n",
    "GET http://here%/p% HTTP/1.1\r\nHost: here%\r\n\r\n",
    "GET /q/p% HTTP/1.1\r\nHost: here\r\n\r\n",
    "GET /q/health/group/g% HTTP/1.1\r\nHost: here\r\n\r\n",
    "CONNECT host%:443 HTTP/1.1\r\nHost: host%:443\r\n\r\n",
    "OPTIONS /p% HTTP/1.1\r\nHost: here\r\nOrigin: http://o%\r\nAccess-Control-Request-Method: M%\r\n\r\n",
    "GET /health HTTP/1.1\r\nHost: host%\r\nX-% : 1\r\n\r\n"
  };

  @TestHTTPResource URI server;

  @Test
  void inventedMethodsAndPathsAddNoSeries() throws IOException {
    sendAll(0, 3);
    given().get("/health");
    Set<String> before = awaitSeriesOf("/health");
    sendAll(3, INVENTIONS / REQUESTS.length);
    Set<String> after = series();
    after.removeAll(before);
    assertEquals(Set.of(), after);
  }

  @Test
  void everyRouteHasASeriesOfItsOwn() throws IOException {
    given().get("/workshops/metered/status");
    given().body("{}").post("/workshops/metered/reservations");
    given().body("{}").post("/api/reservations/hold");
    given().body("{}").post("/api/reservations/confirm");
    given().get("/api/slots");
    given().get("/api/workshops/metered/holds/x");
    given().get("/internal/events");
    for (String uri :
        new String[] {
          "/workshops/{workshop}/status",
          "/workshops/{workshop}/reservations",
          "/api/reservations/hold",
          "/api/reservations/confirm",
          "/api/slots",
          "/api/workshops",
          "/internal"
        }) {
      awaitSeriesOf(uri);
    }
    Set<String> all = series();
    assertTrue(all.stream().noneMatch(name -> name.contains("metered")), all::toString);
  }

  private void sendAll(int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      for (String request : REQUESTS) {
        assertFalse(
            RawHttp.talk(
                    server,
                    request
                        .replace("%", "invented" + i)
                        .replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"))
                .isEmpty());
      }
    }
  }

  /** Waits for a series: a request is counted just after it is answered. */
  private static Set<String> awaitSeriesOf(String uri) {
    return Awaitility.await()
        .until(
            BoundedMetricsTest::series,
            names -> names.stream().anyMatch(name -> name.contains("uri=\"" + uri + "\"")));
  }

  /**
   * The names of all series, with their labels and without their values; not of those that the JVM
   * adds when it first collects garbage.
   */
  private static Set<String> series() {
    return given()
        .get("/q/metrics")
        .asString()
        .lines()
        .filter(line -> !line.startsWith("#") && !line.startsWith("jvm_"))
        .map(line -> line.substring(0, line.lastIndexOf(' ')))
        .collect(Collectors.toSet());
  }
}

package dev.seatfast.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.support.Client;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtLogRecord;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ObservabilityTest {

  @Test
  void healthIsUpWhileTheDatabaseAnswers() {
    given().get("/q/health/live").then().statusCode(200).body("status", equalTo("UP"));
    given()
        .get("/q/health/ready")
        .then()
        .statusCode(200)
        .body("checks.find { it.name == 'database' }.status", equalTo("UP"));
    given().get("/q/health/started").then().statusCode(200);
  }

  @Test
  void livenessAsksNothingOfTheDatabase() {
    given().get("/q/health/live").then().body("checks.size()", equalTo(0));
  }

  @Test
  void decisionsAreCountedByOutcomeWithAHistogramOfTheirTime() {
    String path = "/workshops/" + Client.freshWorkshop() + "/reservations";
    double accepted = count("accepted");
    double rejected = count("rejected");
    double replayed = count("replayed");
    reserve(path, "first", 4);
    reserve(path, "second", 1);
    reserve(path, "first", 4);
    assertEquals(accepted + 1, count("accepted"));
    assertEquals(rejected + 1, count("rejected"));
    assertEquals(replayed + 1, count("replayed"));
    given()
        .get("/q/metrics")
        .then()
        .body(
            containsString("seatfast_decisions_seconds_bucket{outcome=\"accepted\",le=\"0.01\"}"));
  }

  @Test
  void everyDecisionLeavesOneEventWithItsFieldsAndNothingElse() {
    String workshop = Client.freshWorkshop();
    Logger logger = Logger.getLogger("dev.seatfast.decisions");
    List<LogRecord> events = new CopyOnWriteArrayList<>();
    Handler collector = new Collector(events);
    logger.addHandler(collector);
    Level level = logger.getLevel();
    logger.setLevel(Level.INFO);
    try {
      reserve("/workshops/" + workshop + "/reservations", "first", 3);
      reserve("/workshops/" + workshop + "/reservations", "first", 3);
    } finally {
      logger.setLevel(level);
      logger.removeHandler(collector);
    }
    assertEquals(2, events.size());
    assertTrue(events.stream().allMatch(e -> e.getMessage().equals("reservation_decided")));
    Map<String, String> first =
        Map.of(
            "workshop", workshop,
            "requestId", "first",
            "status", "accepted",
            "reserved", "3",
            "replayed", "false");
    assertEquals(first, ((ExtLogRecord) events.get(0)).getMdcCopy());
    assertEquals("true", ((ExtLogRecord) events.get(1)).getMdcCopy().get("replayed"));
  }

  private static void reserve(String path, String requestId, int seats) {
    given().body("{\"requestId\":\"%s\",\"seats\":%d}".formatted(requestId, seats)).post(path);
  }

  private static double count(String outcome) {
    String prefix = "seatfast_decisions_seconds_count{outcome=\"" + outcome + "\"} ";
    return given()
        .get("/q/metrics")
        .asString()
        .lines()
        .filter(line -> line.startsWith(prefix))
        .mapToDouble(line -> Double.parseDouble(line.substring(prefix.length())))
        .findFirst()
        .orElse(0);
  }

  private static final class Collector extends Handler {

    private final List<LogRecord> events;

    Collector(List<LogRecord> events) {
      this.events = events;
    }

    @Override
    public void publish(LogRecord event) {
      events.add(event);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}

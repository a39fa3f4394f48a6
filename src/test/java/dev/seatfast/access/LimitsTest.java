package dev.seatfast.access;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.seatfast.support.Client;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Limits of an open service, for each address that a trusted proxy names. */
@QuarkusTest
@TestProfile(LimitsTest.Limited.class)
class LimitsTest {

  /** Twenty requests at once, and then one per second. */
  public static class Limited implements QuarkusTestProfile {

    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "seatfast.limits.per-address", "1",
          "seatfast.limits.burst-seconds", "20",
          "quarkus.http.proxy.proxy-address-forwarding", "true",
          "quarkus.http.proxy.trusted-proxies", "127.0.0.1");
    }
  }

  private static Response reserve(String address, String workshop, String requestId) {
    return given()
        .header("X-Forwarded-For", address)
        .body("{\"requestId\":\"%s\",\"seats\":1}".formatted(requestId))
        .post("/workshops/" + workshop + "/reservations");
  }

  @Test
  void anAddressThatAsksTooOftenHasToWaitAndReplaysAreFree() {
    String workshop = Client.freshWorkshop();
    reserve("192.0.2.1", workshop, "first").then().statusCode(201);
    for (int i = 0; i < 100; i++) {
      reserve("192.0.2.1", workshop, "first").then().statusCode(201);
    }
    int refused = 0;
    for (int i = 0; i < 60 && refused == 0; i++) {
      Response answer = reserve("192.0.2.1", workshop, "other-" + i);
      if (answer.statusCode() == 429) {
        refused++;
        answer.then().body("error", equalTo("too_many_requests"));
        assertEquals("1", answer.header("Retry-After"));
      }
    }
    assertEquals(1, refused);
    reserve("192.0.2.2", workshop, "another").then().statusCode(409);
    given().get("/health").then().statusCode(200);
  }
}

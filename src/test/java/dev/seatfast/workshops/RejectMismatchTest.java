package dev.seatfast.workshops;

import static org.hamcrest.Matchers.equalTo;

import dev.seatfast.support.Client;
import dev.seatfast.support.DescribedAnswers;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.specification.RequestSpecification;
import java.util.Map;
import org.junit.jupiter.api.Test;

@QuarkusTest
@TestProfile(RejectMismatchTest.RejectMismatch.class)
class RejectMismatchTest {

  public static class RejectMismatch implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of("seatfast.idempotency.reject-mismatch", "true");
    }
  }

  @Test
  void aKnownRequestIdWithOtherSeatsIsRefusedAndChangesNothing() {
    String workshop = Client.freshWorkshop();
    String path = "/workshops/" + workshop + "/reservations";
    given().body("{\"requestId\":\"first\",\"seats\":3}").post(path).then().statusCode(201);
    given()
        .body("{\"requestId\":\"first\",\"seats\":1}")
        .post(path)
        .then()
        .statusCode(422)
        .body("error", equalTo("idempotency_mismatch"));
    given()
        .body("{\"requestId\":\"first\",\"seats\":3}")
        .post(path)
        .then()
        .statusCode(201)
        .body("replayed", equalTo(true));
    given()
        .get("/workshops/" + workshop + "/status")
        .then()
        .body("reserved", equalTo(3))
        .body("acceptedRequests", equalTo(1));
  }

  @Test
  void aRepeatedHoldWithOtherSeatsIsRefusedAndChangesNothing() {
    String workshop = Client.freshWorkshop();
    String path = "/api/workshops/" + workshop + "/holds";
    String body = "{\"requestId\":\"first\",\"seats\":%d,\"userId\":\"ann\"}";
    given().body(body.formatted(3)).post(path).then().statusCode(200);
    given()
        .body(body.formatted(1))
        .post(path)
        .then()
        .statusCode(422)
        .body("error", equalTo("idempotency_mismatch"));
    given()
        .body(body.formatted(3))
        .post(path)
        .then()
        .statusCode(200)
        .body("seats", equalTo(3))
        .header("Idempotency-Replayed", "true");
    given().get("/workshops/" + workshop + "/status").then().body("reserved", equalTo(3));
  }

  private static RequestSpecification given() {
    return RestAssured.given().filter(new DescribedAnswers());
  }
}

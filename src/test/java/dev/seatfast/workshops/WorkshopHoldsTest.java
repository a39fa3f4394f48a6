package dev.seatfast.workshops;

import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import dev.seatfast.support.Client;
import dev.seatfast.support.DescribedAnswers;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class WorkshopHoldsTest {

  private final String workshop = Client.freshWorkshop();
  private final String holds = "/api/workshops/" + workshop + "/holds";

  @Test
  void seatsAreHeldConfirmedAndGivenBack() {
    String id = hold("key-one", 3, "ann").statusCode(200).extract().path("reservationId");
    hold("key-one", 3, "ann").body("reservationId", equalTo(id));
    hold("key-two", 2, "bob").statusCode(409).body("reason", equalTo("ALREADY_HELD_OR_BOOKED"));
    status(3, 0);
    settle(id, "confirm", "bob").statusCode(409).body("reason", equalTo("NOT_OWNER"));
    settle(id, "extend", "ann").statusCode(200);
    settle(id, "confirm", "ann").statusCode(200).body("seats", equalTo(3));
    settle(id, "confirm", "ann").statusCode(200).body("seats", equalTo(3));
    status(3, 3);
    given()
        .get(holds + "/" + id + "?userId=ann")
        .then()
        .statusCode(200)
        .body("state", equalTo("CONFIRMED"))
        .body("seats", equalTo(3));
    given().get(holds + "/" + id + "?userId=bob").then().statusCode(404);
    settle(id, "cancel", "ann").statusCode(200);
    status(0, 0);
    settle(UUID.randomUUID().toString(), "confirm", "ann")
        .statusCode(409)
        .body("reason", equalTo("NOT_FOUND"));
  }

  @ParameterizedTest
  @CsvSource({
    "BAD, '{\"requestId\":\"key\",\"seats\":1,\"userId\":\"u\"}', invalid_workshop_name",
    "good, '{\"requestId\":\"key\",\"seats\":5,\"userId\":\"u\"}', invalid_reservation",
    "good, '{\"requestId\":\"key\",\"seats\":1}', invalid_user_id",
    "good, '{\"requestId\":\"key\",\"seats\":1,\"userId\":\"\"}', invalid_user_id",
    "good, '{', invalid_json"
  })
  void badInputIsNamed(String name, String body, String error) {
    given()
        .body(body)
        .post("/api/workshops/" + name + "/holds")
        .then()
        .statusCode(400)
        .body("error", equalTo(error));
  }

  @ParameterizedTest
  @ValueSource(strings = {"confirm", "cancel", "extend"})
  void aMalformedIdIsAnsweredLikeAnUnknownOne(String action) {
    for (String id : List.of("no-uuid", UUID.randomUUID().toString())) {
      settle(id, action, "ann").statusCode(409).body("reason", equalTo("NOT_FOUND"));
      given().get(holds + "/" + id + "?userId=ann").then().statusCode(404);
    }
  }

  @Test
  void aRepeatedHoldSaysSoAndHowManySeatsItHas() {
    hold("again", 2, "ann")
        .statusCode(200)
        .body("seats", equalTo(2))
        .header("Idempotency-Replayed", nullValue());
    hold("again", 2, "ann")
        .statusCode(200)
        .body("seats", equalTo(2))
        .header("Idempotency-Replayed", "true")
        .header("Idempotency-Mismatch", nullValue());
    hold("again", 3, "ann")
        .statusCode(200)
        .body("seats", equalTo(2))
        .header("Idempotency-Replayed", "true")
        .header("Idempotency-Mismatch", "seats");
    status(2, 0);
  }

  @Test
  void anUnknownActionIsNotFound() {
    settle(UUID.randomUUID().toString(), "sell", "ann").statusCode(404);
  }

  private ValidatableResponse hold(String key, int seats, String user) {
    return given()
        .body("{\"requestId\":\"%s\",\"seats\":%d,\"userId\":\"%s\"}".formatted(key, seats, user))
        .post(holds)
        .then();
  }

  private ValidatableResponse settle(String id, String action, String user) {
    return given()
        .body("{\"userId\":\"" + user + "\"}")
        .post(holds + "/" + id + "/" + action)
        .then();
  }

  private void status(int reserved, int acceptedSeats) {
    given()
        .get("/workshops/" + workshop + "/status")
        .then()
        .body("reserved", equalTo(reserved))
        .body("acceptedSeats", equalTo(acceptedSeats));
  }

  private static RequestSpecification given() {
    return RestAssured.given().filter(new DescribedAnswers());
  }
}

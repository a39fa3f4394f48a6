package dev.seatfast.workshops;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.seatfast.support.Client;
import dev.seatfast.support.DescribedAnswers;
import io.quarkus.test.junit.QuarkusTest;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
class AvailabilityTest {

  @ConfigProperty(name = "seatfast.internal-token")
  String token;

  private final String one = Client.freshWorkshop();
  private final String other = Client.freshWorkshop();

  @Test
  void severalWorkshopsAreReadInTheOrderOfTheQuery() {
    reserve("/workshops/" + one, 3);
    pause("/api/workshops/" + other, "{\"paused\":true,\"opensAt\":\"2020-01-01T00:00:00Z\"}");
    given()
        .filter(new DescribedAnswers())
        .get("/api/availability?workshops=" + other + "," + one + "," + other)
        .then()
        .statusCode(200)
        .body("workshops.workshop", contains(other, one))
        .body("workshops.capacity", contains(4, 4))
        .body("workshops.free", contains(4, 1))
        .body("workshops.available", contains(0, 1))
        .body("workshops.booking", contains("paused", "open"))
        .body("workshops[0].opensAt", equalTo("2020-01-01T00:00:00Z"))
        .body("workshops[1].closesAt", nullValue());
  }

  @Test
  void theTagIsTheSameUntilSomethingIsDifferent() {
    String query = "/api/availability?workshops=" + one + "," + other;
    String first = tag(query);
    assertEquals(first, tag(query));
    given()
        .header("If-None-Match", "\"x\", " + first)
        .get(query)
        .then()
        .statusCode(304)
        .header("ETag", first)
        .body(emptyString());
    reserve("/workshops/" + one, 1);
    given().header("If-None-Match", first).get(query).then().statusCode(200);
    String second = tag(query);
    assertNotEquals(first, second);
    pause("/api/workshops/" + other, "{\"paused\":true}");
    assertNotEquals(second, tag(query));
    pause("/api/workshops/" + other, "{}");
    assertEquals(second, tag(query));
  }

  @Test
  void aTenantSeesItsOwnWorkshops() {
    reserve("/api/tenants/t1/workshops/" + one, 2);
    given()
        .filter(new DescribedAnswers())
        .get("/api/tenants/t1/availability?workshops=" + one)
        .then()
        .statusCode(200)
        .body("workshops.free", contains(2));
    given().get("/api/availability?workshops=" + one).then().body("workshops.free", contains(4));
  }

  @ParameterizedTest
  @CsvSource({
    "'', invalid_workshops",
    "?workshops=, invalid_workshops",
    "'?workshops=a,', invalid_workshop_name",
    "'?workshops=a,B', invalid_workshop_name",
    "'?workshops=a%00', invalid_workshop_name"
  })
  void aListThatIsNoneIsRefused(String query, String error) {
    given()
        .filter(new DescribedAnswers())
        .urlEncodingEnabled(false)
        .get("/api/availability" + query)
        .then()
        .statusCode(400)
        .body("error", equalTo(error));
  }

  @Test
  void aHundredWorkshopsAreTheMost() {
    String hundred =
        IntStream.range(0, 100).mapToObj(i -> one + "-" + i).collect(Collectors.joining(","));
    given()
        .get("/api/availability?workshops=" + hundred)
        .then()
        .statusCode(200)
        .body("workshops.size()", equalTo(100));
    given()
        .get("/api/availability?workshops=" + hundred + "," + other)
        .then()
        .statusCode(400)
        .body("error", equalTo("invalid_workshops"));
  }

  private static String tag(String query) {
    return given().filter(new DescribedAnswers()).get(query).then().extract().header("ETag");
  }

  private static void reserve(String workshop, int seats) {
    given()
        .body("{\"requestId\":\"request\",\"seats\":%d}".formatted(seats))
        .post(workshop + "/reservations")
        .then()
        .statusCode(201);
  }

  private void pause(String workshop, String opening) {
    given()
        .header("Authorization", "Bearer " + token)
        .body(opening)
        .put(workshop + "/opening")
        .then()
        .statusCode(200);
  }
}

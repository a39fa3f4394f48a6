package dev.seatfast.operators;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import dev.seatfast.support.Client;
import dev.seatfast.support.DescribedAnswers;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class OpeningRoutesTest {

  @ConfigProperty(name = "seatfast.internal-token")
  String token;

  private final String workshop = Client.freshWorkshop();
  private final String route = "/api/workshops/" + workshop;

  @Test
  void anEarlyReservationLearnsWhenToComeAndIsAcceptedThen() {
    set(route, "{\"opensAt\":\"2999-01-01T09:00+01:00\"}")
        .statusCode(200)
        .body("workshop", equalTo(workshop))
        .body("opensAt", equalTo("2999-01-01T08:00:00Z"))
        .body("closesAt", nullValue())
        .body("paused", equalTo(false));
    reserve("application/json")
        .statusCode(409)
        .body("error", equalTo("not_open"))
        .body("opensAt", equalTo("2999-01-01T08:00:00Z"))
        .body("$", not(hasItem("closesAt")));
    reserve("application/problem+json")
        .statusCode(409)
        .contentType("application/problem+json")
        .body("code", equalTo("not_open"))
        .body("opensAt", equalTo("2999-01-01T08:00:00Z"));
    set(route, "{}").statusCode(200).body("opensAt", nullValue());
    reserve("application/json").statusCode(201).body("replayed", equalTo(false));
  }

  @Test
  void aHoldOfAWorkshopThatIsClosedOrPausedIsRefused() {
    set(route, "{\"closesAt\":\"2020-01-01T00:00:00Z\",\"paused\":true}").statusCode(200);
    hold()
        .statusCode(409)
        .body("ok", equalTo(false))
        .body("reason", equalTo("CLOSED"))
        .body("closesAt", equalTo("2020-01-01T00:00:00Z"));
    reserve("application/json").statusCode(409).body("error", equalTo("closed"));
    set(route, "{\"paused\":true}").statusCode(200);
    hold().statusCode(409).body("reason", equalTo("PAUSED"));
    reserve("application/json").statusCode(409).body("error", equalTo("paused"));
    set(route, "{\"paused\":false}").statusCode(200);
    hold().statusCode(200);
  }

  @Test
  void aTenantsWorkshopHasAnOpeningOfItsOwn() {
    String ofTenant = "/api/tenants/t1/workshops/" + workshop;
    set(ofTenant, "{\"paused\":true}").statusCode(200);
    operator().get(ofTenant + "/opening").then().statusCode(200).body("paused", equalTo(true));
    operator().get(route + "/opening").then().statusCode(200).body("paused", equalTo(false));
    given()
        .filter(new DescribedAnswers())
        .body("{\"requestId\":\"request\",\"seats\":1}")
        .post(ofTenant + "/reservations")
        .then()
        .statusCode(409)
        .body("error", equalTo("paused"));
    reserve("application/json").statusCode(201);
  }

  @Test
  void theRecordShowsWhoPausedAWorkshop() {
    set(route, "{\"opensAt\":\"2020-01-01T00:00:00Z\"}").statusCode(200);
    set(route, "{\"opensAt\":\"2020-01-01T00:00:00Z\",\"paused\":true}").statusCode(200);
    operator()
        .get("/internal/audit?limit=20")
        .then()
        .body("entries", hasItem(hasEntry("before", "../..")))
        .body("entries", hasItem(hasEntry("after", "2020-01-01T00:00:00Z/.. paused")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "\"\"",
        "{\"opensAt\":\"2026-12-01T09:00:00\"}",
        "{\"opensAt\":\"tomorrow\"}",
        "{\"opensAt\":1}",
        "{\"closesAt\":true}",
        "{\"paused\":\"true\"}",
        "{\"paused\":1}",
        "{\"opensAt\":\"2026-12-01T09:00:00Z\",\"closesAt\":\"2026-12-01T10:00:00+01:00\"}",
        "{\"opensAt\":\"2026-12-01T09:00:00Z\",\"closesAt\":\"2026-12-01T08:00:00Z\"}"
      })
  void anOpeningThatIsNoneIsRefused(String body) {
    set(route, body).statusCode(400).body("error", equalTo("invalid_opening"));
    operator()
        .get(route + "/opening")
        .then()
        .body("opensAt", nullValue())
        .body("closesAt", nullValue());
  }

  private RequestSpecification operator() {
    return given().filter(new DescribedAnswers()).header("Authorization", "Bearer " + token);
  }

  private ValidatableResponse set(String workshopRoute, String body) {
    return operator().body(body).put(workshopRoute + "/opening").then();
  }

  private ValidatableResponse reserve(String accept) {
    return given()
        .filter(new DescribedAnswers())
        .accept(accept)
        .body("{\"requestId\":\"request\",\"seats\":1}")
        .post("/workshops/" + workshop + "/reservations")
        .then();
  }

  private ValidatableResponse hold() {
    return given()
        .filter(new DescribedAnswers())
        .body("{\"requestId\":\"request\",\"seats\":1,\"userId\":\"anna\"}")
        .post(route + "/holds")
        .then();
  }
}

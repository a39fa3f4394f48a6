package dev.seatfast.operators;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import dev.seatfast.support.Client;
import dev.seatfast.support.DescribedAnswers;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class OperatorRoutesTest {

  @ConfigProperty(name = "seatfast.internal-token")
  String token;

  private final String workshop = Client.freshWorkshop();

  private RequestSpecification operator() {
    return given().filter(new DescribedAnswers()).header("Authorization", "Bearer " + token);
  }

  @Test
  void withoutTheTokenTheRoutesAreNotThere() {
    String[] wrong = {
      "", "Bearer ", "Bearer wrong", "Basic " + token, token, "Bearer " + token + "x"
    };
    for (String authorization : wrong) {
      for (String path : new String[] {"/internal/invariants", "/api/workshops/a/attempts"}) {
        given()
            .header("Authorization", authorization)
            .get(path)
            .then()
            .statusCode(404)
            .body("error", equalTo("not_found"));
      }
    }
    given()
        .body("{\"capacity\":9}")
        .put("/api/workshops/" + workshop + "/capacity")
        .then()
        .statusCode(404);
    given().get("/workshops/" + workshop + "/status").then().body("capacity", equalTo(4));
  }

  @Test
  void withoutTheTokenNothingShowsThatTheRoutesExist() {
    given().options("/internal/invariants").then().statusCode(404);
    given().post("/internal/invariants").then().statusCode(404);
    given().get("/internal/invariants/").then().statusCode(404);
    given().accept("text/xml").get("/internal/events").then().statusCode(404);
    given().get("/api/workshops/a/capacity").then().statusCode(404);
    given().urlEncodingEnabled(false).get("/%69nternal/invariants").then().statusCode(404);
    given().get("/internal;x=1/invariants").then().statusCode(404);
    given()
        .header("Authorization", "bearer " + token)
        .get("/internal/events")
        .then()
        .statusCode(200);
  }

  @Test
  void anOperatorSetsACapacityThatLaterDecisionsUse() {
    setCapacity("{\"capacity\":2}", 200);
    reserve("first", 2, 201);
    reserve("second", 1, 409);
    setCapacity("{\"capacity\":1}", 409);
    setCapacity("{\"capacity\":3}", 200);
    reserve("third", 1, 201);
    given()
        .get("/workshops/" + workshop + "/status")
        .then()
        .body("capacity", equalTo(3))
        .body("reserved", equalTo(3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}", "{\"capacity\":-1}", "{\"capacity\":1000000001}", "{\"capacity\":\"5\"}",
        "{\"capacity\":1.5}", "{\"capacity\":null}", "[]", "{\"capacity\":99999999999}"
      })
  void aCapacityThatIsNoneIsRefused(String body) {
    operator()
        .body(body)
        .put("/api/workshops/" + workshop + "/capacity")
        .then()
        .statusCode(400)
        .body("error", equalTo("invalid_capacity"));
  }

  @Test
  void aBadNameOrBodyIsRefused() {
    operator()
        .body("{\"capacity\":1}")
        .put("/api/workshops/BAD/capacity")
        .then()
        .statusCode(400)
        .body("error", equalTo("invalid_workshop_name"));
    operator()
        .body("{")
        .put("/api/workshops/good/capacity")
        .then()
        .statusCode(400)
        .body("error", equalTo("invalid_json"));
  }

  @Test
  void anOperatorReadsTheAttemptsPageByPage() {
    reserve("c-third", 1, 201);
    reserve("a-first", 3, 201);
    reserve("b-second", 2, 409);
    String attempts = "/api/workshops/" + workshop + "/attempts";
    operator()
        .get(attempts + "?limit=2")
        .then()
        .statusCode(200)
        .body("attempts.requestId", contains("a-first", "b-second"))
        .body("attempts.state", contains("CONFIRMED", "REJECTED"))
        .body("attempts.seats", contains(3, 2))
        .body("after", equalTo("0.0.b-second"));
    operator()
        .get(attempts + "?limit=2&after=0.0.b-second")
        .then()
        .body("attempts.requestId", contains("c-third"))
        .body("after", nullValue());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit=0",
        "limit=1001",
        "limit=x",
        "after=0.a%00b",
        "after=a",
        "after=x.a",
        "limit=99999999999"
      })
  void aBadPageIsRefused(String query) {
    operator()
        .urlEncodingEnabled(false)
        .get("/api/workshops/" + workshop + "/attempts?" + query)
        .then()
        .statusCode(400)
        .body("error", equalTo("invalid_page"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/html", "application/problem+json", "nonsense;q=x, ,"})
  void anOperatorGetsJsonWhateverElseItAccepts(String accept) {
    operator()
        .accept(accept)
        .get("/internal/invariants")
        .then()
        .statusCode(200)
        .contentType("application/json");
  }

  @Test
  void anOperatorSeesThatTheCountersAgree() {
    reserve("first", 3, 201);
    operator()
        .get("/internal/invariants")
        .then()
        .statusCode(200)
        .body("ok", equalTo(true))
        .body("disagreements", empty());
  }

  private void setCapacity(String body, int status) {
    operator().body(body).put("/api/workshops/" + workshop + "/capacity").then().statusCode(status);
  }

  private void reserve(String requestId, int seats, int status) {
    given()
        .body("{\"requestId\":\"%s\",\"seats\":%d}".formatted(requestId, seats))
        .post("/workshops/" + workshop + "/reservations")
        .then()
        .statusCode(status);
  }
}

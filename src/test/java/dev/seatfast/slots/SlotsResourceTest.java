package dev.seatfast.slots;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import dev.seatfast.support.DescribedAnswers;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
class SlotsResourceTest {

  private static final String ONE = "2026-12-01T01:00:00Z";
  private static final String TWO = "2026-12-01T02:00:00Z";

  private final String tenant = "t " + UUID.randomUUID() + " /ü:";

  @Test
  void anOwnerReadsCancelsAndOthersSeeNothing() {
    String id = hold("room", ONE, "ann", "key").statusCode(200).extract().path("reservationId");
    reservation(id, "ann").statusCode(200).body("state", equalTo("HELD")).body("seats", equalTo(1));
    reservation(id, "bob").statusCode(404).body("error", equalTo("not_found"));
    reservation("nope", "ann").statusCode(404);
    settle(id, "cancel", "bob").statusCode(409).body("reason", equalTo("NOT_OWNER"));
    settle(id, "cancel", "ann").statusCode(200).body("ok", equalTo(true));
    settle(id, "cancel", "ann").statusCode(200);
    settle(id, "confirm", "ann").statusCode(409).body("reason", equalTo("CANCELLED"));
    reservation(id, "ann").body("state", equalTo("CANCELLED"));
    hold("room", ONE, "bob", "other").statusCode(200);
  }

  @Test
  void aHoldIsExtendedAndAnswersItsNewEnd() {
    var first = hold("room", ONE, "ann", "key").extract();
    long until = first.path("expiresAt");
    long later =
        settle(first.path("reservationId"), "extend", "ann")
            .statusCode(200)
            .extract()
            .path("expiresAt");
    org.junit.jupiter.api.Assertions.assertTrue(later >= until);
    settle("nope", "extend", "ann").statusCode(409).body("reason", equalTo("NOT_FOUND"));
  }

  @Test
  void aResourcesSlotsAreListedPageByPageWithTheirState() {
    hold("room", ONE, "ann", "key");
    String id = hold("room", TWO, "ann", "key").extract().path("reservationId");
    String gone =
        hold("room", "2026-12-01T03:00:00Z", "ann", "key").extract().path("reservationId");
    hold("room:", ONE, "ann", "key");
    given()
        .body(body("room", TWO, "ann", ",\"reservationId\":\"" + id + "\""))
        .post("/api/reservations/confirm");
    given()
        .body(body("room", "2026-12-01T03:00:00Z", "ann", ""))
        .post("/api/slots/reservations/" + gone + "/cancel");
    list("room", "2026-12-01T00:00:00Z", "2026-12-02T00:00:00+09:00", "2")
        .statusCode(200)
        .body("slots.slotStartIso", contains("2026-12-01T01:00:00Z", "2026-12-01T02:00:00Z"))
        .body("slots.state", contains("HELD", "CONFIRMED"))
        .body("next", equalTo("2026-12-01T03:00:00Z"));
    list("room", "2026-12-01T03:00:00Z", "2026-12-02T00:00:00Z", "2")
        .body("slots.state", contains("FREE"))
        .body("next", nullValue());
    slot("room", TWO).body("state", equalTo("CONFIRMED")).body("heldUntil", nullValue());
    slot("never", TWO).body("state", equalTo("FREE"));
  }

  @Test
  void aGroupIsHeldConfirmedAndCancelledWhole() {
    String slots =
        "[{\"resourceId\":\"a\",\"slotStartIso\":\"%s\"},{\"resourceId\":\"b\",\"slotStartIso\":\"%s\"}]"
            .formatted(ONE, TWO);
    String group = group(slots, "ann").statusCode(200).extract().path("reservationId");
    group(slots, "bob").statusCode(409).body("reason", equalTo("ALREADY_HELD_OR_BOOKED"));
    settleGroup(group, "confirm", "bob").statusCode(409).body("reason", equalTo("NOT_OWNER"));
    settleGroup(group, "confirm", "ann").statusCode(200);
    slot("a", ONE).body("state", equalTo("CONFIRMED"));
    slot("b", TWO).body("state", equalTo("CONFIRMED"));
    given()
        .body(body("a", ONE, "ann", ",\"reservationId\":\"" + group + "\""))
        .post("/api/reservations/confirm")
        .then()
        .statusCode(409)
        .body("reason", equalTo("NOT_FOUND"));
    settleGroup(group, "cancel", "ann").statusCode(200);
    slot("a", ONE).body("state", equalTo("FREE"));
  }

  @Test
  void aGroupThatNamesASlotTwiceOrTooManyIsRefusedWhole() {
    String twice =
        "[{\"resourceId\":\"a\",\"slotStartIso\":\"2026-12-01T01:00:00Z\"},"
            + "{\"resourceId\":\"a\",\"slotStartIso\":\"2026-12-01T02:00:00+01:00\"}]";
    group(twice, "ann").statusCode(400).body("error", equalTo("invalid_slots"));
    slot("a", ONE).body("state", equalTo("FREE"));
    StringBuilder many = new StringBuilder("[");
    for (int i = 0; i < 33; i++) {
      many.append(i == 0 ? "" : ",")
          .append("{\"resourceId\":\"r")
          .append(i)
          .append("\",\"slotStartIso\":\"")
          .append(ONE)
          .append("\"}");
    }
    group(many + "]", "ann").statusCode(400).body("error", equalTo("invalid_slots"));
    group("[]", "ann").statusCode(400).body("error", equalTo("invalid_slots"));
    group("{}", "ann").statusCode(400).body("error", equalTo("invalid_slots"));
    group("[{\"resourceId\":7}]", "ann")
        .statusCode(400)
        .body("error", equalTo("invalid_resource_id"));
  }

  @ParameterizedTest
  @CsvSource({
    "'a\\u0000b', invalid_tenant_id",
    "'a\\u0085b', invalid_tenant_id",
    "'a\\nb', invalid_tenant_id",
    "'\\ud800', invalid_tenant_id",
    "'\\udfff\\ud800', invalid_tenant_id"
  })
  void textThatIsNoTextIsRefused(String tenantId, String error) {
    given()
        .body(
            "{\"tenantId\":\"%s\",\"resourceId\":\"r\",\"slotStartIso\":\"%s\",\"userId\":\"u\",\"idempotencyKey\":\"k\"}"
                .formatted(tenantId, ONE))
        .post("/api/reservations/hold")
        .then()
        .statusCode(400)
        .body("error", equalTo(error));
  }

  @Test
  void badParametersAreNamed() {
    given().get("/api/slots").then().statusCode(400).body("error", equalTo("invalid_tenant_id"));
    list("room", TWO, ONE, "2").statusCode(400).body("error", equalTo("invalid_range"));
    list("room", ONE, "soon", "2").statusCode(400).body("error", equalTo("invalid_range"));
    list("room", ONE, TWO, "0").statusCode(400).body("error", equalTo("invalid_page"));
    slot("room", "now").statusCode(400).body("error", equalTo("invalid_slot_start"));
    given()
        .get("/api/slots/reservations/x?tenantId=t&resourceId=r&slotStartIso=" + ONE)
        .then()
        .statusCode(400)
        .body("error", equalTo("invalid_user_id"));
    given()
        .body("{")
        .post("/api/slots/groups")
        .then()
        .statusCode(400)
        .body("error", equalTo("invalid_json"));
    given().post("/api/slots/groups").then().statusCode(400).body("error", equalTo("invalid_json"));
  }

  private static RequestSpecification given() {
    return RestAssured.given()
        .filter(new DescribedAnswers())
        .contentType("application/json; charset=UTF-8");
  }

  private ValidatableResponse hold(String resource, String start, String user, String key) {
    return given()
        .body(body(resource, start, user, ",\"idempotencyKey\":\"" + key + "\""))
        .post("/api/reservations/hold")
        .then();
  }

  private ValidatableResponse settle(String id, String action, String user) {
    return given()
        .body(body("room", ONE, user, ""))
        .post("/api/slots/reservations/" + id + "/" + action)
        .then();
  }

  private ValidatableResponse reservation(String id, String user) {
    return given()
        .queryParam("tenantId", tenant)
        .queryParam("resourceId", "room")
        .queryParam("slotStartIso", ONE)
        .queryParam("userId", user)
        .get("/api/slots/reservations/" + id)
        .then();
  }

  private ValidatableResponse list(String resource, String from, String to, String limit) {
    return given()
        .queryParam("tenantId", tenant)
        .queryParam("resourceId", resource)
        .queryParam("from", from)
        .queryParam("to", to)
        .queryParam("limit", limit)
        .get("/api/slots")
        .then();
  }

  private ValidatableResponse slot(String resource, String start) {
    return given()
        .queryParam("tenantId", tenant)
        .queryParam("resourceId", resource)
        .queryParam("slotStartIso", start)
        .get("/api/slots/slot")
        .then();
  }

  private ValidatableResponse group(String slots, String user) {
    return given()
        .body(
            "{\"tenantId\":\"%s\",\"slots\":%s,\"userId\":\"%s\",\"idempotencyKey\":\"%s\"}"
                .formatted(tenant, slots, user, user))
        .post("/api/slots/groups")
        .then();
  }

  private ValidatableResponse settleGroup(String group, String action, String user) {
    return given()
        .body("{\"tenantId\":\"%s\",\"userId\":\"%s\"}".formatted(tenant, user))
        .post("/api/slots/groups/" + group + "/" + action)
        .then();
  }

  private String body(String resource, String start, String user, String more) {
    return "{\"tenantId\":\"%s\",\"resourceId\":\"%s\",\"slotStartIso\":\"%s\",\"userId\":\"%s\"%s}"
        .formatted(tenant, resource, start, user, more);
  }
}

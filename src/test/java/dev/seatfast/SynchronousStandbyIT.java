package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.support.Client;
import dev.seatfast.support.Client.Answer;
import dev.seatfast.support.DatabaseOwner;
import dev.seatfast.support.ServiceProcess;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server that waits for its synchronous standby, which is away. Whoever cancels that wait makes
 * the commit stand on one machine alone, and the server only warns: the outcome is unknown.
 */
class SynchronousStandbyIT {

  private static final String TOKEN = "a-token";

  /** Also the start and the end of a process. */
  private static final Duration ANSWERED_AFTER_MAX = Duration.ofSeconds(60);

  @TempDir static Path folder;

  private static DatabaseOwner owner;
  private static ServiceProcess service;

  private final String workshop = Client.freshWorkshop();
  private final Client client = service.client();
  private String hold;
  private String group;

  /** A request whose transaction writes. */
  private enum Write {
    RESERVATION(
        "POST", "/workshops/{workshop}/reservations", "{\"requestId\":\"request\",\"seats\":1}"),
    REJECTION(
        "POST", "/workshops/no-seats/reservations", "{\"requestId\":\"{workshop}\",\"seats\":1}"),
    HOLD(
        "POST",
        "/api/workshops/{workshop}/holds",
        "{\"requestId\":\"request\",\"seats\":1,\"userId\":\"anna\"}"),
    GROUP(
        "POST",
        "/api/slots/groups",
        "{\"tenantId\":\"{workshop}\",\"userId\":\"anna\",\"idempotencyKey\":\"key\",\"slots\":["
            + "{\"resourceId\":\"a\",\"slotStartIso\":\"2030-01-01T10:00:00Z\"},"
            + "{\"resourceId\":\"b\",\"slotStartIso\":\"2030-01-01T10:00:00Z\"}]}"),
    CONFIRMATION("POST", "/api/workshops/{workshop}/holds/{hold}/confirm", "{\"userId\":\"anna\"}"),
    GROUP_CONFIRMATION(
        "POST",
        "/api/slots/groups/{group}/confirm",
        "{\"tenantId\":\"{workshop}-held\",\"userId\":\"anna\"}"),
    CAPACITY("PUT", "/api/workshops/{workshop}/capacity", "{\"capacity\":9}"),
    SWEEP("POST", "/internal/sweep", ""),
    EVENTS("GET", "/internal/events", "");

    private final String method;
    private final String path;
    private final String body;

    Write(String method, String path, String body) {
      this.method = method;
      this.path = path;
      this.body = body;
    }
  }

  @BeforeAll
  static void start() throws Exception {
    owner = new DatabaseOwner(EmbeddedDatabase.start(folder, 0));
    owner.migrate();
    service =
        ServiceProcess.start(
            owner.settings(
                "SEATFAST_STATEMENT_TIME_MAX",
                "2S",
                "SEATFAST_EVENTS_ENABLED",
                "true",
                "SEATFAST_INTERNAL_TOKEN",
                TOKEN));
  }

  @AfterAll
  static void stop() {
    service.close();
    owner.database().close();
  }

  @BeforeEach
  void sendTheStandbyAway() throws Exception {
    assertEquals(
        200,
        client.send("PUT", "/api/workshops/no-seats/capacity", "{\"capacity\":0}", TOKEN).status());
    hold(workshop + "-ended"); // something to sweep, and an event without a position
    owner.execute(
        "UPDATE seatfast.reservation_attempt SET expires_at = decided_at + interval '1 ms'"
            + " WHERE pool_key LIKE 'w:%-ended'",
        "UPDATE seatfast.seat_pool SET next_expiry = now() WHERE pool_key LIKE 'w:%-ended'");
    hold = hold(workshop);
    group =
        reservationId(
            client.post(
                Write.GROUP.path, Write.GROUP.body.replace("{workshop}", workshop + "-held")));
    waitForStandby("away");
  }

  @AfterEach
  void takeTheStandbyBack() throws Exception {
    waitForStandby("");
  }

  @ParameterizedTest
  @EnumSource
  void aWaitThatTheServiceItselfEndsIsUnknown(Write write) throws Exception {
    assertUnknown(send(write));
  }

  @ParameterizedTest
  @EnumSource
  void aWaitThatAnOperatorCancelsIsUnknown(Write write) throws Exception {
    assertUnknown(whileCancelling(() -> send(write)));
  }

  /** The decision stands on the one server alone, where a retry can read it. */
  @ParameterizedTest
  @EnumSource(
      names = {"RESERVATION", "REJECTION", "HOLD", "GROUP", "CONFIRMATION", "GROUP_CONFIRMATION"})
  void aRetryIsToldTheDecisionOnceTheStandbyHasIt(Write write) throws Exception {
    assertUnknown(whileCancelling(() -> send(write)));
    assertUnknown(whileCancelling(() -> send(write)));
    waitForStandby("");
    assertEquals(
        write == Write.REJECTION ? 409 : write == Write.RESERVATION ? 201 : 200,
        send(write).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"migrate", "delete"})
  void aNamespaceIsNotMadeOrDeletedBeforeTheStandbyKnows(String action) throws Exception {
    Map<String, String> settings = owner.settings("SEATFAST_NAMESPACE", action + "d");
    ServiceProcess cancelled = ServiceProcess.launch(settings, action);
    assertEquals(1, whileCancelling(cancelled::awaitExit), cancelled::log);
    ServiceProcess again = ServiceProcess.launch(settings, action);
    assertEquals(1, whileCancelling(again::awaitExit), again::log);
    waitForStandby("");
    ServiceProcess done = ServiceProcess.launch(settings, action);
    assertEquals(0, done.awaitExit(), done::log);
  }

  private String hold(String workshop) throws Exception {
    String id = "{\"requestId\":\"before\",\"seats\":1,\"userId\":\"anna\"}";
    return reservationId(client.post("/api/workshops/" + workshop + "/holds", id));
  }

  private static String reservationId(Answer answer) {
    assertEquals(200, answer.status(), answer.response()::body);
    return answer.json().get("reservationId").textValue();
  }

  private Answer send(Write write) throws Exception {
    return client.send(
        write.method,
        write
            .path
            .replace("{workshop}", workshop)
            .replace("{hold}", hold)
            .replace("{group}", group),
        write.body.replace("{workshop}", workshop),
        TOKEN);
  }

  private static void assertUnknown(Answer answer) {
    assertEquals(503, answer.status());
    assertEquals("unavailable", answer.json().get("error").textValue());
    assertTrue(Integer.parseInt(answer.header("Retry-After")) > 0);
  }

  private static <T> T whileCancelling(Callable<T> call) throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<T> result = thread.submit(call);
      Awaitility.await()
          .atMost(ANSWERED_AFTER_MAX)
          .until(
              () -> {
                owner.execute(
                    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity"
                        + " WHERE wait_event = 'SyncRep'");
                return result.isDone();
              });
      return result.get();
    } finally {
      thread.shutdown();
    }
  }

  private static void waitForStandby(String name) throws SQLException {
    owner.execute(
        "SET synchronous_commit = local",
        "ALTER SYSTEM SET synchronous_standby_names = '" + name + "'",
        "SELECT pg_reload_conf()");
    Awaitility.await().until(() -> owner.ask("SHOW synchronous_standby_names").equals(name));
  }
}

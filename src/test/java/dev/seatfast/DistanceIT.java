package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.support.Client;
import dev.seatfast.support.Client.Answer;
import dev.seatfast.support.DatabaseOwner;
import dev.seatfast.support.Rush;
import dev.seatfast.support.ServiceProcess;
import dev.seatfast.support.TcpProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A function with few connections, and a database that the network lies before. */
class DistanceIT {

  private static final int CONNECTIONS_MAX = 3;
  private static final Duration ACQUISITION_TIME_MAX = Duration.ofSeconds(2);
  private static final Duration STATEMENT_TIME_MAX = Duration.ofSeconds(2);

  /** What the machine that runs the tests may add to any of these. */
  private static final Duration SLACK = Duration.ofSeconds(4);

  private static final Duration HEALTHY_AFTER_MAX = Duration.ofSeconds(5);

  /** Longer than the pool trusts a connection that nobody uses. */
  private static final int NOT_TRUSTED_AFTER_MS = 1_200;

  @TempDir static Path folder;

  private static DatabaseOwner owner;
  private static TcpProxy network;
  private static ServiceProcess service;

  private final String workshop = Client.freshWorkshop();
  private final Client client = service.client();

  @BeforeAll
  static void startBehindNetwork() throws Exception {
    owner = new DatabaseOwner(EmbeddedDatabase.start(folder, 0));
    owner.migrate();
    network = TcpProxy.to(DatabaseOwner.port(owner.database()));
    service = ServiceProcess.start(settings());
  }

  private static Map<String, String> settings() {
    return owner.settings(
        "QUARKUS_DATASOURCE_JDBC_URL",
        "jdbc:postgresql://127.0.0.1:" + network.port() + "/postgres",
        "QUARKUS_DATASOURCE_JDBC_MAX_SIZE",
        Integer.toString(CONNECTIONS_MAX),
        "QUARKUS_DATASOURCE_JDBC_ACQUISITION_TIMEOUT",
        ACQUISITION_TIME_MAX.toString(),
        "SEATFAST_STATEMENT_TIME_MAX",
        STATEMENT_TIME_MAX.toString(),
        "SEATFAST_INTERNAL_TOKEN",
        "a-token");
  }

  @AfterAll
  static void stop() throws Exception {
    service.close();
    network.close();
    owner.database().close();
  }

  @Test
  void afterAFreezeThatTheServerDidNotWaitForTheFirstRequestsSucceed() throws Exception {
    owner.execute("ALTER SYSTEM SET idle_session_timeout = '1s'", "SELECT pg_reload_conf()");
    try {
      Awaitility.await().until(() -> owner.ask("SHOW idle_session_timeout").equals("1s"));
      useAllConnections();
      service.freeze();
      Awaitility.await().until(() -> owner.sessions() == 0);
      service.thaw();
      assertAllAccepted(reserveAtOnce(CONNECTIONS_MAX, "thawed"));
    } finally {
      service.thaw();
      owner.execute("ALTER SYSTEM RESET idle_session_timeout", "SELECT pg_reload_conf()");
    }
  }

  @Test
  void afterTheNetworkCutIdleConnectionsTheFirstRequestsSucceed() throws Exception {
    useAllConnections();
    network.cut();
    TimeUnit.MILLISECONDS.sleep(NOT_TRUSTED_AFTER_MS);
    assertAllAccepted(reserveAtOnce(CONNECTIONS_MAX, "cut"));
  }

  @Test
  void afterTheNetworkForgotIdleConnectionsTheFirstRequestsSucceed() throws Exception {
    useAllConnections();
    network.forget();
    TimeUnit.MILLISECONDS.sleep(NOT_TRUSTED_AFTER_MS);
    assertAllAccepted(reserveAtOnce(CONNECTIONS_MAX, "forgotten"));
  }

  @Test
  void secondsAfterARestartItDecidesAgainByItself() throws Exception {
    try (Rush rush = Rush.start(client, workshop, 4)) {
      Awaitility.await().until(() -> rush.decisions() > 20);
      owner.database().close();
      Awaitility.await().until(() -> !service.ready());
      owner =
          new DatabaseOwner(EmbeddedDatabase.start(folder, DatabaseOwner.port(owner.database())));
      int before = rush.decisions();
      Awaitility.await()
          .atMost(HEALTHY_AFTER_MAX)
          .until(() -> rush.decisions() > before && service.ready());
      assertEquals(0, rush.unexpected(), service::log);
    }
    assertTrue(client.invariantsHold("a-token"));
  }

  /** Whatever is read meanwhile, replays included: a standby answers that as well. */
  @Test
  void aDatabaseThatTakesNoWritesIsNotReadyAndGivesNoFalseAnswer() throws Exception {
    assertEquals(201, client.reserve(workshop, "before", 1).status());
    takeWrites(false);
    try {
      Awaitility.await().until(() -> client.reserve(workshop, "meanwhile", 1).status() == 503);
      assertUnavailable(client.reserve(workshop, "meanwhile", 1));
      Awaitility.await()
          .pollInterval(Duration.ofMillis(100))
          .until(
              () -> {
                assertEquals(1, client.status(workshop).get("reserved").intValue());
                assertTrue(client.reserve(workshop, "before", 1).replayed());
                return !service.ready();
              });
      assertUnavailable(client.reserve(workshop, "meanwhile", 1));
    } finally {
      takeWrites(true);
    }
    Awaitility.await().atMost(HEALTHY_AFTER_MAX).until(service::ready);
    Answer afterwards = client.reserve(workshop, "meanwhile", 1);
    assertEquals(201, afterwards.status());
    assertFalse(afterwards.replayed());
  }

  @Test
  void tenThousandRequestsLeaveNoConnectionInUse() throws Exception {
    List<Callable<Integer>> clients = new ArrayList<>();
    for (int c = 0; c < 16; c++) {
      int number = c;
      clients.add(
          () -> {
            int status = 0;
            for (int i = 0; i < 625 && status < 500; i++) {
              String id = i % 25 == 0 ? "not valid" : "client-" + number + "-" + i;
              status = client.reserve("w" + i % 50, id, 1).status();
            }
            return status;
          });
    }
    for (int last : Client.atOnce(clients)) {
      assertTrue(last < 500, service::log);
    }
    assertTrue(owner.sessions() <= CONNECTIONS_MAX);
    assertEquals(
        "0",
        owner.ask(
            "SELECT count(*) FROM pg_stat_activity"
                + " WHERE application_name = 'seatfast' AND state <> 'idle'"));
    String metrics = client.get("/q/metrics", "a-token").response().body();
    assertTrue(metrics.matches("(?s).*agroal_active_count\\{[^}]*} 0\\.0.*"), metrics);
  }

  @Test
  void instancesUnderLoadHoldNoMoreConnectionsThanEachMay() throws Exception {
    int most = 0;
    List<Rush> rushes = new ArrayList<>();
    try (ServiceProcess second = ServiceProcess.start(settings())) {
      for (int i = 0; i < 8; i++) { // a workshop has one transaction at a time in each instance
        rushes.add(Rush.start(client, Client.freshWorkshop(), 2));
        rushes.add(Rush.start(second.client(), Client.freshWorkshop(), 2));
      }
      while (rushes.stream().mapToInt(Rush::decisions).min().orElseThrow() < 100) {
        most = Math.max(most, owner.sessions());
      }
      rushes.forEach(Rush::close);
    }
    assertTrue(most <= 2 * CONNECTIONS_MAX, most + " connections");
    assertTrue(most > CONNECTIONS_MAX, "both were busy");
  }

  /** Readers and writers alike, many more than there are connections. */
  @Test
  void whileAllConnectionsAreStuckEverybodyIsToldSoInTime() throws Exception {
    List<Callable<Answer>> calls = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      String other = Client.freshWorkshop();
      calls.add(() -> client.reserve(other, "request", 1));
      calls.add(() -> client.get("/workshops/" + other + "/status"));
      calls.add(
          () ->
              client.post(
                  "/api/workshops/" + other + "/holds",
                  "{\"requestId\":\"held\",\"seats\":1,\"userId\":\"anna\"}"));
    }
    long start = System.nanoTime();
    try (Connection blocking = owner.connect()) {
      blocking.setAutoCommit(false);
      blocking.createStatement().execute("LOCK TABLE seatfast.seat_pool");
      for (Answer answer : Client.atOnce(calls)) {
        assertUnavailable(answer);
      }
    }
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    Duration most = ACQUISITION_TIME_MAX.plus(STATEMENT_TIME_MAX).plus(SLACK);
    assertTrue(took.compareTo(most) < 0, "the last one was told after " + took);
    assertEquals(201, client.reserve(workshop, "afterwards", 1).status());
  }

  private static void assertUnavailable(Answer answer) {
    assertEquals(503, answer.status(), answer.response()::body);
    assertTrue(Integer.parseInt(answer.header("Retry-After")) > 0);
  }

  private static void takeWrites(boolean yes) throws SQLException {
    owner.execute(
        "SET default_transaction_read_only = off",
        "ALTER SYSTEM SET default_transaction_read_only = " + (yes ? "off" : "on"),
        "SELECT pg_reload_conf()");
  }

  /** New ones, and just now. */
  private void useAllConnections() throws Exception {
    owner.endSessions();
    Awaitility.await()
        .until(
            () -> {
              reserveAtOnce(4 * CONNECTIONS_MAX, "used");
              return owner.sessions() == CONNECTIONS_MAX;
            });
  }

  private List<Answer> reserveAtOnce(int requests, String id) throws Exception {
    List<Callable<Answer>> calls = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      String other = Client.freshWorkshop();
      calls.add(() -> client.reserve(other, id, 1));
    }
    return Client.atOnce(calls);
  }

  private static void assertAllAccepted(List<Answer> answers) throws IOException {
    answers.forEach(answer -> assertEquals(201, answer.status(), service::log));
  }
}

package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.support.Client;
import dev.seatfast.support.Client.Answer;
import dev.seatfast.support.ServiceProcess;
import dev.seatfast.support.TcpProxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients hear when the database fails them half way. */
class DatabaseFaultIT {

  @TempDir static Path folder;

  private static EmbeddedDatabase database;
  private static TcpProxy proxy;
  private static ServiceProcess service;

  private final String workshop = Client.freshWorkshop();
  private final Client client = service.client();

  @BeforeAll
  static void startBehindProxy() throws Exception {
    database = EmbeddedDatabase.start(folder, 0);
    int port = Integer.parseInt(database.jdbcUrl().replaceAll(".*:(\\d+)/.*", "$1"));
    proxy = TcpProxy.to(port);
    service =
        ServiceProcess.start(
            Map.of(
                "QUARKUS_DATASOURCE_JDBC_URL",
                "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/postgres",
                "QUARKUS_DATASOURCE_USERNAME",
                database.user(),
                "QUARKUS_DATASOURCE_PASSWORD",
                database.password(),
                "SEATFAST_MIGRATE",
                "at-start",
                "SEATFAST_INTERNAL_TOKEN",
                "a-token"));
  }

  @AfterAll
  static void stop() throws Exception {
    service.close();
    proxy.close();
    database.close();
  }

  @Test
  void aLostCommitReplyIsUnknownAndTheRetryFindsTheTruth() throws Exception {
    assertEquals(201, client.reserve(workshop, "before", 1).status());
    proxy.loseNextReply();
    Answer unknown = client.reserve(workshop, "lost", 2);
    assertTrue(proxy.lostIt());
    assertEquals(503, unknown.status());
    assertEquals("unavailable", unknown.json().get("error").textValue());
    assertTrue(Integer.parseInt(unknown.header("Retry-After")) > 0);

    Answer retry = client.reserve(workshop, "lost", 2);
    assertEquals(201, retry.status());
    assertTrue(retry.replayed(), "it had been committed, once");
    assertEquals(3, client.status(workshop).get("reserved").intValue());
  }

  @Test
  void aDatabaseErrorInsideTheTransactionFailsItsRequestAloneAndLeavesNothingBehind()
      throws Exception {
    try (Connection connection =
            DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE FUNCTION seatfast.break_poison() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            IF NEW.request_id = 'poison' THEN RAISE EXCEPTION 'injected'; END IF;
            RETURN NEW;
          END $$;
          CREATE TRIGGER break_poison BEFORE INSERT ON seatfast.reservation_attempt
            FOR EACH ROW EXECUTE FUNCTION seatfast.break_poison();
          """);
      List<Callable<Answer>> calls = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        String id = i == 20 ? "poison" : "request-" + i;
        calls.add(() -> client.reserve(workshop, id, 1));
      }
      List<Answer> answers = Client.atOnce(calls);
      assertEquals(500, answers.get(20).status());
      assertEquals("{\"error\":\"internal_error\"}", answers.get(20).response().body());
      assertEquals(39, answers.stream().filter(Answer::decided).count());
      assertEquals(4, answers.stream().filter(Answer::accepted).count());

      statement.execute(
          """
          DROP TRIGGER break_poison ON seatfast.reservation_attempt;
          DROP FUNCTION seatfast.break_poison();
          """);
    }
    Answer afterwards = client.reserve(workshop, "poison", 1);
    assertEquals(409, afterwards.status());
    assertFalse(afterwards.replayed(), "the failed attempt left no decision");
    assertTrue(client.invariantsHold("a-token"));
  }

  @Test
  void whileTheDatabaseIsDownReadinessSaysNoAndLivenessYesAndItRecoversByItself() throws Exception {
    database.close();
    try {
      Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !service.ready());
      assertEquals(200, client.get("/q/health/live").status());
      assertEquals(200, client.get("/health").status());
      Answer refused = client.reserve(workshop, "too-early", 1);
      assertEquals(503, refused.status());
      assertEquals(503, client.get("/workshops/" + workshop + "/status").status());
    } finally {
      int port = Integer.parseInt(database.jdbcUrl().replaceAll(".*:(\\d+)/.*", "$1"));
      database = EmbeddedDatabase.start(folder, port);
    }
    service.awaitReady();
    assertEquals(201, client.reserve(workshop, "too-early", 1).status());
  }
}

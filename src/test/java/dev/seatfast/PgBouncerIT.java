package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.support.Client;
import dev.seatfast.support.Client.Answer;
import dev.seatfast.support.ContractCases;
import dev.seatfast.support.DatabaseOwner;
import dev.seatfast.support.PgBouncer;
import dev.seatfast.support.ServiceProcess;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The packaged service behind PgBouncer in transaction mode: no session is its own. */
class PgBouncerIT {

  private static final Duration TIME_TO_LIVE = Duration.ofSeconds(3);

  /** Also what else may have waited for the lock by then, such as the sweep. */
  private static final Duration CANCELLED_AFTER_MAX = Duration.ofSeconds(5);

  @TempDir static Path folder;

  private static DatabaseOwner owner;

  @BeforeAll
  static void startDatabase() {
    owner = new DatabaseOwner(EmbeddedDatabase.start(folder, 0));
  }

  @AfterAll
  static void stopDatabase() {
    owner.database().close();
  }

  @ParameterizedTest
  @EnumSource
  void everythingWorksThroughItFromTheMigrationToTheTimeLimitOfAStatement(
      PgBouncer.Statements statements) throws Exception {
    PgBouncer.whyNot(statements).ifPresent(reason -> abort(reason));
    owner.execute("DROP SCHEMA IF EXISTS seatfast CASCADE");
    try (PgBouncer pooler = PgBouncer.before(owner.database(), statements);
        ServiceProcess service =
            ServiceProcess.start(
                owner.settings(
                    "QUARKUS_DATASOURCE_JDBC_URL",
                    pooler.jdbcUrl(),
                    "SEATFAST_MIGRATE",
                    "at-start",
                    "SEATFAST_HOLD_TIME_TO_LIVE",
                    TIME_TO_LIVE.toString(),
                    "SEATFAST_STATEMENT_TIME_MAX",
                    "1S",
                    "SEATFAST_INTERNAL_TOKEN",
                    "a-token"))) {
      sixtyFourAtOnceGetFourSeats(service.client());
      ContractCases.replay("workshops.json", service.url());
      ContractCases.replay("slots.json", service.url(), TIME_TO_LIVE);
      assertTrue(service.client().invariantsHold("a-token"));
      aStatementThatTakesTooLongIsStopped(service.client());
    }
  }

  private static void sixtyFourAtOnceGetFourSeats(Client client) throws Exception {
    for (int round = 0; round < 5; round++) {
      String workshop = Client.freshWorkshop();
      List<Callable<Answer>> calls = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        String id = "request-" + i;
        calls.add(() -> client.reserve(workshop, id, 1));
      }
      List<Answer> answers = Client.atOnce(calls);
      assertEquals(4, answers.stream().filter(Answer::accepted).count());
      assertEquals(60, answers.stream().filter(answer -> answer.status() == 409).count());
    }
  }

  /** The driver asks for that over another connection, which PgBouncer must pass on. */
  private static void aStatementThatTakesTooLongIsStopped(Client client) throws Exception {
    try (Connection blocking = owner.connect()) {
      blocking.setAutoCommit(false);
      blocking.createStatement().execute("LOCK TABLE seatfast.seat_pool");
      assertEquals(503, client.get("/workshops/locked/status").status());
      String waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
      Awaitility.await().atMost(CANCELLED_AFTER_MAX).until(() -> owner.ask(waiting).equals("0"));
    }
    assertEquals(200, client.get("/workshops/locked/status").status());
  }
}

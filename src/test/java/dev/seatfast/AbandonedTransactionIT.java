package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.support.Client;
import dev.seatfast.support.Client.Answer;
import dev.seatfast.support.DatabaseOwner;
import dev.seatfast.support.ServiceProcess;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions that nobody ends: the server ends them, and the service lives with that. */
class AbandonedTransactionIT {

  private static final String TIME = "2030-01-01T10:00:00.000Z";
  private static final String FIRST_SLOT = "s:6:tenant:1:a:" + TIME;
  private static final String SECOND_SLOT = "s:6:tenant:1:b:" + TIME;

  private static final String GROUP =
      """
      {"tenantId":"tenant","userId":"anna","idempotencyKey":"key","slots":[
        {"resourceId":"a","slotStartIso":"2030-01-01T10:00:00Z"},
        {"resourceId":"b","slotStartIso":"2030-01-01T10:00:00Z"}]}
      """;

  private static final Duration RELEASED_AFTER_MAX = Duration.ofSeconds(30);

  @TempDir static Path folder;

  private static DatabaseOwner owner;

  @BeforeAll
  static void startDatabase() throws Exception {
    owner = new DatabaseOwner(EmbeddedDatabase.start(folder, 0));
    owner.migrate();
    owner.execute(
        "INSERT INTO seatfast.seat_pool (pool_key, capacity) VALUES"
            + " ('%s', 1), ('%s', 1), ('w:locked', 4)".formatted(FIRST_SLOT, SECOND_SLOT),
        "CREATE ROLE hasty LOGIN PASSWORD 'a-password'",
        "ALTER ROLE hasty SET transaction_timeout = '400ms'",
        "GRANT USAGE ON SCHEMA seatfast TO hasty",
        "GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA seatfast TO hasty");
  }

  @AfterAll
  static void stopDatabase() {
    owner.database().close();
  }

  /** As when its machine is gone without a word: the connection stays, and nobody is there. */
  @Test
  void aProcessThatVanishesHalfWayKeepsNoPoolLocked() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (ServiceProcess service = ServiceProcess.start(owner.settings())) {
      try (Connection blocking = owner.connect()) {
        blocking.setAutoCommit(false);
        lock(blocking, SECOND_SLOT);
        Future<Answer> group =
            thread.submit(() -> service.client().post("/api/slots/groups", GROUP));
        Awaitility.await().until(() -> waitingForLocks().equals("1"));
        service.freeze();
        blocking.rollback();
        Awaitility.await().atMost(RELEASED_AFTER_MAX).until(() -> isFree(FIRST_SLOT));
        service.thaw();
        group.get();
      }
      assertEquals(
          200, service.client().post("/api/slots/groups", GROUP).status(), "it works again");
    } finally {
      thread.shutdown();
    }
  }

  @Test
  void aTransactionThatTheServerEndsIsAnUnknownOutcome() throws Exception {
    try (ServiceProcess service =
            ServiceProcess.start(
                owner.settings(
                    "QUARKUS_DATASOURCE_USERNAME",
                    "hasty",
                    "QUARKUS_DATASOURCE_PASSWORD",
                    "a-password"));
        Connection blocking = owner.connect()) {
      Client client = service.client();
      blocking.setAutoCommit(false);
      lock(blocking, "w:locked");
      Answer answer = client.reserve("locked", "request", 1);
      assertEquals(503, answer.status(), service::log);
      blocking.rollback();
      assertEquals(201, client.reserve("locked", "request", 1).status());
    }
  }

  private static void lock(Connection connection, String pool) throws SQLException {
    connection
        .createStatement()
        .execute("SELECT FROM seatfast.seat_pool WHERE pool_key = '%s' FOR UPDATE".formatted(pool));
  }

  private static String waitingForLocks() throws SQLException {
    return owner.ask("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
  }

  private static boolean isFree(String pool) throws SQLException {
    return owner
        .ask(
            "SELECT count(*) FROM (SELECT FROM seatfast.seat_pool WHERE pool_key = '%s'"
                    .formatted(pool)
                + " FOR UPDATE SKIP LOCKED) AS free")
        .equals("1");
  }
}

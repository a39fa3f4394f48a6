package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.support.Client.Answer;
import dev.seatfast.support.DatabaseOwner;
import dev.seatfast.support.ServiceProcess;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Where processes meet at a pool, a decision gives the lock back before it is flushed. A
 * synchronous standby that is away makes that moment last: everything that is told then waits for
 * it.
 */
class EarlyReleaseIT {

  private static final String TOKEN = "a-token";
  private static final String WORKSHOP = "/workshops/hot";

  private static final int CRASHES = 3;
  private static final int CLIENTS = 8; // of each instance
  private static final int ENOUGH = 100;
  private static final Duration ONE_MINUTE = Duration.ofMinutes(1);

  @TempDir Path folder;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private DatabaseOwner owner;
  private ServiceProcess decides;
  private ServiceProcess reads;

  @BeforeEach
  void start() throws Exception {
    owner = new DatabaseOwner(EmbeddedDatabase.start(folder, 0));
    owner.migrate();
    decides = start("30S");
    reads = start("30S");
  }

  private ServiceProcess start(String statementTimeMax) throws Exception {
    return ServiceProcess.start(
        owner.settings(
            "SEATFAST_STATEMENT_TIME_MAX",
            statementTimeMax,
            "QUARKUS_DATASOURCE_JDBC_URL",
            owner.database().jdbcUrl() + "?socketTimeout=60",
            "SEATFAST_INTERNAL_TOKEN",
            TOKEN));
  }

  @AfterEach
  void stop() throws Exception {
    threads.shutdownNow();
    decides.close();
    reads.close();
    owner.database().close();
  }

  @Test
  void theNextOneNeedNotWaitForTheFlushButNobodyIsToldBeforeIt() throws Exception {
    assertEquals(201, reserve(decides, "before").status());

    Future<Answer> met = reserveAtALockedPool(decides, "met");
    Awaitility.await()
        .until(() -> owner.ask("SELECT reserved FROM seatfast.seat_pool").equals("2"));
    lockAndLeave();

    List<Future<Answer>> told = new ArrayList<>();
    told.add(met);
    told.add(later(() -> reserve(reads, "met")));
    told.add(later(() -> reads.client().get(WORKSHOP + "/status")));
    told.add(later(() -> reads.client().get("/api/availability?workshops=hot")));
    told.add(later(() -> reads.client().get("/api/workshops/hot/attempts", TOKEN)));
    told.add(
        later(
            () ->
                reads
                    .client()
                    .post(
                        "/api/workshops/hot/holds",
                        "{\"requestId\":\"hold\",\"seats\":3,\"userId\":\"anna\"}")));
    for (Future<Answer> one : told) {
      assertThrows(TimeoutException.class, () -> one.get(300, TimeUnit.MILLISECONDS));
    }

    standby("");
    List<Answer> answers = new ArrayList<>();
    for (Future<Answer> one : told) {
      answers.add(one.get(60, TimeUnit.SECONDS));
    }
    assertEquals(
        List.of(201, 201, 200, 200, 200, 409), answers.stream().map(Answer::status).toList());
    assertTrue(answers.get(1).replayed());
    assertEquals(2, answers.get(1).json().get("reserved").intValue());
    assertEquals(2, answers.get(2).json().get("reserved").intValue());

    // Without a standby the log alone shows that a replay waits for a flush: it writes to it.
    String end = owner.ask("SELECT pg_current_wal_insert_lsn()");
    assertTrue(reserve(reads, "met").replayed());
    assertEquals("t", owner.ask("SELECT pg_current_wal_flush_lsn() > '" + end + "'"));
  }

  @Test
  void onceThePoolIsQuietADecisionIsFlushedUnderTheLock() throws Exception {
    assertEquals(201, reserve(decides, "before").status());
    Future<Answer> met = reserveAtALockedPool(decides, "met");
    standby("");
    assertEquals(201, met.get(60, TimeUnit.SECONDS).status());
    assertEquals("f", owner.ask("SELECT released_at IS NULL FROM seatfast.seat_pool"));

    Awaitility.await()
        .until(
            () -> {
              reserve(decides, "quiet" + System.nanoTime());
              owner.execute("UPDATE seatfast.seat_pool SET capacity = capacity + 1");
              return owner.ask("SELECT released_at IS NULL FROM seatfast.seat_pool").equals("t");
            });
  }

  @Test
  void aFlushThatDoesNotComeInTimeLeavesTheOutcomeUnknown() throws Exception {
    assertEquals(201, reserve(decides, "before").status());
    try (ServiceProcess impatient = start("1S")) {
      Future<Answer> met = reserveAtALockedPool(impatient, "met");
      Answer answer = met.get(60, TimeUnit.SECONDS);
      assertEquals(503, answer.status());
      assertEquals("unavailable", answer.json().get("error").textValue());
      standby("");
      assertTrue(reserve(impatient, "met").replayed());
    }
  }

  /** Flushes take a tenth of a second longer, so that nearly every crash falls before one. */
  @Test
  void aCrashOfTheDatabaseTakesBackNothingThatWasTold() throws Exception {
    owner.execute(
        "ALTER SYSTEM SET commit_delay = 100000",
        "ALTER SYSTEM SET commit_siblings = 0",
        "SELECT pg_reload_conf()");
    Path data = owner.data();
    assertEquals(
        200,
        decides
            .client()
            .send("PUT", "/api" + WORKSHOP + "/capacity", "{\"capacity\":100000}", TOKEN)
            .status());
    for (int crash = 1; crash <= CRASHES; crash++) {
      Set<String> accepted = ConcurrentHashMap.newKeySet();
      AtomicInteger reserved = new AtomicInteger();
      AtomicBoolean crashed = new AtomicBoolean();
      List<Future<?>> clients = new ArrayList<>();
      for (ServiceProcess service : List.of(decides, reads)) {
        for (int client = 0; client < CLIENTS; client++) {
          String prefix = "crash" + crash + "-" + service.url().getPort() + "-" + client + "-";
          clients.add(
              threads.submit(
                  () -> {
                    for (int n = 0; !crashed.get(); n++) {
                      if (reserve(service, prefix + n).status() == 201) {
                        accepted.add(prefix + n);
                      }
                    }
                    return null;
                  }));
        }
        clients.add(
            threads.submit(
                () -> {
                  while (!crashed.get()) {
                    Answer status = service.client().get(WORKSHOP + "/status");
                    if (status.status() == 200) {
                      reserved.accumulateAndGet(
                          status.json().get("reserved").intValue(), Math::max);
                    }
                  }
                  return null;
                }));
      }
      int enough = crash * ENOUGH;
      Awaitility.await().atMost(ONE_MINUTE).until(() -> reserved.get() > enough);
      DatabaseOwner.kill(data);
      crashed.set(true);
      for (Future<?> client : clients) {
        client.get(60, TimeUnit.SECONDS);
      }
      Awaitility.await()
          .atMost(ONE_MINUTE)
          .ignoreExceptions()
          .until(() -> owner.ask("SELECT 1").equals("1"));
      int kept = Integer.parseInt(owner.ask("SELECT reserved FROM seatfast.seat_pool"));
      assertTrue(reserved.get() <= kept, reserved + " were told, " + kept + " are kept");
      Set<String> lost = new TreeSet<>(accepted);
      try (Connection connection = owner.connect();
          ResultSet rows =
              connection
                  .createStatement()
                  .executeQuery("SELECT request_id FROM seatfast.reservation_attempt")) {
        while (rows.next()) {
          lost.remove(rows.getString(1));
        }
      }
      assertEquals(Set.of(), lost);
      decides.awaitReady();
      reads.awaitReady();
    }
  }

  /** The pool is locked until the request waits for it, and the standby is away from then on. */
  private Future<Answer> reserveAtALockedPool(ServiceProcess service, String requestId)
      throws Exception {
    try (Connection other = owner.connect();
        Statement lock = other.createStatement()) {
      other.setAutoCommit(false);
      lock.execute("SET LOCAL synchronous_commit = local");
      lock.execute("SELECT FROM seatfast.seat_pool WHERE pool_key = 'w:hot' FOR UPDATE");
      Future<Answer> answer = later(() -> reserve(service, requestId));
      Awaitility.await()
          .until(
              () ->
                  owner
                      .ask(
                          "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                              + " AND application_name = 'seatfast'")
                      .equals("1"));
      standby("away");
      other.commit();
      return answer;
    }
  }

  private void lockAndLeave() throws SQLException {
    try (Connection other = owner.connect();
        Statement lock = other.createStatement()) {
      other.setAutoCommit(false);
      lock.execute("SELECT FROM seatfast.seat_pool WHERE pool_key = 'w:hot' FOR UPDATE NOWAIT");
      other.rollback();
    }
  }

  private static Answer reserve(ServiceProcess service, String requestId) throws Exception {
    return service
        .client()
        .post(
            WORKSHOP + "/reservations", "{\"requestId\":\"%s\",\"seats\":1}".formatted(requestId));
  }

  private <T> Future<T> later(Callable<T> call) {
    return threads.submit(call);
  }

  private void standby(String name) throws SQLException {
    owner.execute(
        "SET synchronous_commit = local",
        "ALTER SYSTEM SET synchronous_standby_names = '" + name + "'",
        "SELECT pg_reload_conf()");
    Awaitility.await().until(() -> owner.ask("SHOW synchronous_standby_names").equals(name));
  }
}

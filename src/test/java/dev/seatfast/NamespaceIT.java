package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.database.SchemaCheck;
import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.support.Client;
import dev.seatfast.support.Client.Answer;
import dev.seatfast.support.ServiceProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of a namespace: made, used, deleted, and never used again. */
class NamespaceIT {

  private static final String CLEANUP = "{\"status\":\"cleanup\"}";

  @TempDir static Path folder;

  private static EmbeddedDatabase database;

  @BeforeAll
  static void startDatabase() {
    database = EmbeddedDatabase.start(folder, 0);
  }

  @AfterAll
  static void stopDatabase() {
    database.close();
  }

  /** An answer, and whether the deletion was over when its request was sent. */
  private record Told(Answer answer, boolean afterwards) {}

  @Test
  void aDeletionUnderLoadLosesNoDecisionBeforeItAndLetsNoneThroughAfterwards() throws Exception {
    assertEquals(0, once("loaded", "migrate"));
    countWhatIsDropped();
    Queue<Told> told = new ConcurrentLinkedQueue<>();
    AtomicBoolean deleted = new AtomicBoolean();
    AtomicBoolean enough = new AtomicBoolean();
    Map<String, String> settings =
        with("loaded", "SEATFAST_DEFAULT_CAPACITY", "1000000", "SEATFAST_SWEEP_EVERY", "1s");
    try (ServiceProcess one = ServiceProcess.start(settings);
        ServiceProcess two = ServiceProcess.start(settings)) {
      ExecutorService clients = Executors.newFixedThreadPool(16);
      for (int c = 0; c < 16; c++) {
        Client client = (c % 2 == 0 ? one : two).client();
        String name = "client-" + c + "-";
        clients.submit(
            () -> {
              for (int i = 0; !enough.get(); i++) {
                boolean afterwards = deleted.get();
                told.add(new Told(client.reserve("w" + i % 3, name + i, 1), afterwards));
              }
              return null;
            });
      }
      Awaitility.await().until(() -> told.size() > 500);
      ServiceProcess deletion = ServiceProcess.launch(with("loaded"), "delete");
      assertEquals(0, deletion.awaitExit(), deletion::log);
      deleted.set(true);
      int sofar = told.size();
      Awaitility.await().until(() -> told.size() > sofar + 500);
      enough.set(true);
      clients.shutdown();
      assertTrue(clients.awaitTermination(30, TimeUnit.SECONDS));
      assertTrue(one.ready(), "it can say that the namespace is deleted");
      assertEquals(410, one.client().get("/no-such-route").status());
    }
    long accepted = told.stream().filter(t -> t.answer().accepted()).count();
    long unknown = told.stream().filter(t -> t.answer().status() == 503).count();
    assertEquals(accepted, droppedRequests(), unknown + " unknown");
    assertEquals(0, unknown, "whether a namespace is deleted is never unknown");
    told.stream()
        .filter(Told::afterwards)
        .forEach(
            t -> {
              assertEquals(410, t.answer().status());
              assertEquals(CLEANUP, t.answer().response().body());
            });
    assertEquals(List.of("tombstone"), content("loaded"));
  }

  /** Counts in the deletion's own transaction, when nobody can decide any more. */
  private static void countWhatIsDropped() throws SQLException {
    execute("CREATE TABLE public.dropped (confirmed_requests bigint)");
    execute(
        """
        CREATE FUNCTION public.count_dropped() RETURNS event_trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO public.dropped SELECT sum(confirmed_requests) FROM loaded.seat_pool;
        END $$
        """);
    execute(
        "CREATE EVENT TRIGGER count_dropped ON ddl_command_start WHEN TAG IN ('DROP TABLE')"
            + " EXECUTE FUNCTION public.count_dropped()");
  }

  private static long droppedRequests() throws SQLException {
    execute("DROP EVENT TRIGGER count_dropped");
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT confirmed_requests FROM public.dropped")) {
      assertTrue(row.next());
      return row.getLong(1);
    }
  }

  @Test
  void everyRouteButTheProbesSaysSoWhoeverStartsItAsDeleted() throws Exception {
    assertEquals(0, once("ended", "migrate"));
    try (ServiceProcess service =
        ServiceProcess.start(
            with("ended", "SEATFAST_NAMESPACE_STATE", "deleted", "SEATFAST_INTERNAL_TOKEN", "t"))) {
      Client client = service.client();
      for (String path :
          List.of(
              "/",
              "/workshops/intro/status",
              "/workshops/Not%20Valid/status",
              "/api/slots?tenantId=t&resourceId=r",
              "/internal/invariants",
              "/q/openapi",
              "/q/metrics",
              "/q/health/../metrics",
              "/no;such/route")) {
        Answer answer = client.get(path);
        assertEquals(410, answer.status(), path);
        assertEquals(CLEANUP, answer.response().body(), path);
        assertEquals("application/json", answer.header("Content-Type"), path);
      }
      assertEquals(410, client.reserve("intro", "request", 1).status());
      assertEquals(410, client.post("/workshops/intro/reservations", "{").status());
      for (String probe : List.of("/health", "/q/health/live", "/q/health/ready", "/q/health")) {
        assertEquals(200, client.get(probe).status(), probe);
      }
    }
    assertEquals(List.of("tombstone"), content("ended"));
    assertTrue(tombstone("ended").contains("configuration, version "), tombstone("ended"));
  }

  @Test
  void deletingTwiceIsTheSameAsOnceAndLeavesTheFirstTombstone() throws Exception {
    assertEquals(0, once("twice", "migrate"));
    assertEquals(0, once("twice", "delete"));
    String first = tombstone("twice");
    String operator = "command-line:" + System.getProperty("user.name") + ", version ";
    assertTrue(first.contains(operator), first);
    // What somebody with more rights restores there afterwards does not stay either.
    execute("CREATE TABLE twice.seat_pool (pool_key text)");
    assertEquals(0, once("twice", "delete"));
    assertEquals(first, tombstone("twice"));
    assertEquals(List.of("tombstone"), content("twice"));
  }

  /** Its own limits are those of decisions, which a deletion has to outlast. */
  @Test
  void aDeletionWaitsLongerThanTheNetworksLimitOfADecision() throws Exception {
    assertEquals(0, once("busy", "migrate"));
    try (Connection reading = connect()) {
      reading.setAutoCommit(false);
      reading.createStatement().execute("SELECT count(*) FROM busy.reservation_attempt");
      ServiceProcess deletion =
          ServiceProcess.launch(
              with(
                  "busy",
                  "QUARKUS_DATASOURCE_JDBC_URL",
                  database.jdbcUrl() + "?socketTimeout=2",
                  "SEATFAST_STATEMENT_TIME_MAX",
                  "1S"),
              "delete");
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> deletion.ended() || secondsWaitingForLock() > 3);
      reading.rollback();
      assertEquals(0, deletion.awaitExit(), deletion::log);
    }
    assertEquals(List.of("tombstone"), content("busy"));
  }

  private static double secondsWaitingForLock() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT extract(epoch FROM max(clock_timestamp() - query_start))"
                    + " FROM pg_stat_activity WHERE wait_event_type = 'Lock'")) {
      row.next();
      return row.getDouble(1);
    }
  }

  @Test
  void aNamespaceThatNeverWasCanBeDeletedToo() throws Exception {
    assertEquals(0, once("never_was", "delete"));
    assertEquals(List.of("tombstone"), content("never_was"));
    assertEquals(3, once("never_was", "migrate"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"at-start", "only", "never"})
  void startingADeletedNamespaceAsActiveIsRefusedInOneClearLine(String migrate) throws Exception {
    assertEquals(0, once("gone", "delete"));
    String before = tombstone("gone");
    ServiceProcess service =
        ServiceProcess.launch(
            with("gone", "SEATFAST_MIGRATE", migrate, "SEATFAST_NAMESPACE_STATE", "active"));
    assertEquals(3, service.awaitExit(), service::log);
    assertTrue(service.log().contains("The namespace gone was deleted"), service.log());
    assertFalse(service.log().contains("\tat "), service.log());
    assertEquals(before, tombstone("gone"));
    assertEquals(List.of("tombstone"), content("gone"));
    assertEquals(0, once("come_again", "migrate"), "another name starts anew");
    try (ServiceProcess next = ServiceProcess.start(with("come_again"))) {
      assertEquals(0, next.client().status("w0").get("reserved").intValue());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"QUARKUS_FLYWAY_CLEAN_AT_START", "QUARKUS_FLYWAY_BASELINE_ON_MIGRATE"})
  void noSettingOfFlywaysTakesTheTombstoneAway(String setting) throws Exception {
    assertEquals(0, once("settled", "delete"));
    String before = tombstone("settled");
    ServiceProcess service =
        ServiceProcess.launch(
            with(
                "settled",
                "SEATFAST_MIGRATE",
                "at-start",
                setting,
                "true",
                "QUARKUS_FLYWAY_CLEAN_DISABLED",
                "false"));
    assertNotEquals(0, service.awaitExit(), service::log);
    assertEquals(before, tombstone("settled"));
    assertEquals(List.of("tombstone"), content("settled"));
  }

  @Test
  void noVersionAndNoSettingOfAnOrdinaryRoleBringsItBack() throws Exception {
    execute("CREATE ROLE owner_of_it LOGIN PASSWORD 'a-password'");
    execute("GRANT CREATE ON DATABASE postgres TO owner_of_it");
    Map<String, String> settings =
        with(
            "owned",
            "QUARKUS_DATASOURCE_USERNAME",
            "owner_of_it",
            "QUARKUS_DATASOURCE_PASSWORD",
            "a-password");
    ServiceProcess migration = ServiceProcess.launch(settings, "migrate");
    assertEquals(0, migration.awaitExit(), migration::log);
    execute(
        "ALTER DEFAULT PRIVILEGES FOR ROLE owner_of_it IN SCHEMA owned GRANT ALL ON TABLES TO PUBLIC");
    ServiceProcess deletion = ServiceProcess.launch(settings, "delete");
    assertEquals(0, deletion.awaitExit(), deletion::log);
    for (boolean baseline : new boolean[] {false, true}) {
      Flyway old =
          Flyway.configure()
              .dataSource(database.jdbcUrl(), "owner_of_it", "a-password")
              .defaultSchema("owned")
              .schemas("owned")
              .baselineOnMigrate(baseline)
              .skipDefaultCallbacks(true)
              .load();
      Assertions.assertThrows(FlywayException.class, old::migrate);
    }
    assertAll(
        () -> refused("CREATE TABLE owned.seat_pool (pool_key text)"),
        () -> refused("INSERT INTO owned.tombstone (deleted_by) VALUES ('me')"),
        () -> refused("UPDATE owned.tombstone SET deleted_by = 'me'"),
        () -> refused("DELETE FROM owned.tombstone"));
    assertEquals(List.of("tombstone"), content("owned"));
    ServiceProcess again = ServiceProcess.launch(settings, "delete");
    assertEquals(0, again.awaitExit(), again::log);
  }

  @Test
  void aSchemaThatIsMissingOrOlderIsRefusedUntilItIsMigrated() throws Exception {
    ServiceProcess missing = ServiceProcess.launch(with("not_there"));
    assertEquals(4, missing.awaitExit(), missing::log);
    assertTrue(missing.log().contains("not_there is not migrated"), missing.log());
    String before = Integer.toString(SchemaCheck.VERSION - 1);
    Flyway.configure()
        .dataSource(database.jdbcUrl(), database.user(), database.password())
        .defaultSchema("older")
        .schemas("older")
        .target(before)
        .load()
        .migrate();
    ServiceProcess older = ServiceProcess.launch(with("older"));
    assertEquals(4, older.awaitExit(), older::log);
    assertTrue(older.log().contains("schema version %s, but".formatted(before)), older.log());
    assertEquals(0, once("older", "migrate"));
    try (ServiceProcess service = ServiceProcess.start(with("older"))) {
      assertTrue(service.client().reserve("w0", "request", 1).accepted());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"user", "order", "table"})
  void aNamespaceMayBeAWordOfSql(String word) throws Exception {
    assertEquals(0, once(word, "migrate"));
    try (ServiceProcess service =
        ServiceProcess.start(with(word, "SEATFAST_INTERNAL_TOKEN", "t"))) {
      Client client = service.client();
      assertTrue(client.reserve("w0", "request", 1).accepted());
      assertTrue(
          client.get("/api/workshops/w0/attempts", "t").response().body().contains("request"));
      assertEquals(200, client.send("POST", "/internal/sweep", "", "t").status());
      assertEquals(200, client.get("/internal/events", "t").status());
      assertTrue(client.invariantsHold("t"));
    }
    assertEquals(0, once(word, "delete"));
    assertEquals(List.of("tombstone"), content('"' + word + '"'));
  }

  private static int once(String namespace, String argument) throws IOException {
    return ServiceProcess.launch(with(namespace), argument).awaitExit();
  }

  private static Map<String, String> with(String namespace, String... settings) {
    Map<String, String> all =
        new HashMap<>(
            Map.of(
                "QUARKUS_DATASOURCE_JDBC_URL", database.jdbcUrl(),
                "QUARKUS_DATASOURCE_USERNAME", database.user(),
                "QUARKUS_DATASOURCE_PASSWORD", database.password(),
                "SEATFAST_NAMESPACE", namespace));
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    return all;
  }

  private static void refused(String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(database.jdbcUrl(), "owner_of_it", "a-password");
        Statement statement = connection.createStatement()) {
      SQLException e =
          Assertions.assertThrows(SQLException.class, () -> statement.execute(sql), sql);
      assertEquals("42501", e.getSQLState(), e.getMessage());
    }
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Everything in the schema but the types and indexes that come with a table. */
  private static List<String> content(String namespace) throws SQLException {
    List<String> names = new ArrayList<>();
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT relname FROM pg_class
                 WHERE relnamespace = '%1$s'::regnamespace AND relkind <> 'i'
                UNION ALL
                SELECT proname FROM pg_proc WHERE pronamespace = '%1$s'::regnamespace
                UNION ALL
                SELECT typname FROM pg_type
                 WHERE typnamespace = '%1$s'::regnamespace AND typtype <> 'c' AND typelem = 0
                UNION ALL
                SELECT 'default privileges' FROM pg_default_acl
                 WHERE defaclnamespace = '%1$s'::regnamespace
                """
                    .formatted(namespace))) {
      while (row.next()) {
        names.add(row.getString(1));
      }
    }
    return names;
  }

  private static String tombstone(String namespace) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT deleted_at, deleted_by FROM " + namespace + ".tombstone")) {
      assertTrue(row.next());
      String text = row.getString(1) + " " + row.getString(2);
      assertNotEquals("", row.getString(2));
      assertFalse(row.next());
      return text;
    }
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
  }
}

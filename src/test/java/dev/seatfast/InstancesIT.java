package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.support.Client;
import dev.seatfast.support.Client.Answer;
import dev.seatfast.support.ServiceProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several instances of the service on one database. */
class InstancesIT {

  @TempDir static Path folder;

  private static EmbeddedDatabase database;
  private static Map<String, String> settings;

  @BeforeAll
  static void startDatabase() throws Exception {
    database = EmbeddedDatabase.start(folder, 0);
    settings =
        Map.of(
            "QUARKUS_DATASOURCE_JDBC_URL", database.jdbcUrl(),
            "QUARKUS_DATASOURCE_USERNAME", database.user(),
            "QUARKUS_DATASOURCE_PASSWORD", database.password(),
            "SEATFAST_INTERNAL_TOKEN", "a-token");
  }

  @AfterAll
  static void stopDatabase() {
    database.close();
  }

  @Test
  void twoInstancesThatDecideTheSameWorkshopAtOnceNeverOversell() throws Exception {
    Map<String, String> migrating = with("SEATFAST_MIGRATE", "at-start");
    try (ServiceProcess one = ServiceProcess.start(migrating);
        ServiceProcess two = ServiceProcess.start(migrating)) {
      List<Client> clients = List.of(one.client(), two.client());
      for (int round = 0; round < 10; round++) {
        String workshop = Client.freshWorkshop();
        List<Callable<Answer>> calls = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
          Client client = clients.get(i % 2);
          String id = "request-" + i / 2; // every id goes to both instances
          calls.add(() -> client.reserve(workshop, id, 1));
        }
        List<Answer> answers = Client.atOnce(calls);
        assertEquals(8, answers.stream().filter(Answer::accepted).count(), "4 ids, told twice");
        assertEquals(56, answers.stream().filter(answer -> answer.status() == 409).count());
        assertEquals(32, answers.stream().filter(Answer::replayed).count());
        assertEquals(4, one.client().status(workshop).get("reserved").intValue());
      }
      assertTrue(one.client().invariantsHold("a-token"));
    }
  }

  @Test
  void twentyInitialisationsAtOnceLeaveOneSchemaAndAgainChangeNothing() throws Exception {
    String namespace = "crowded";
    Map<String, String> migrateOnly =
        with("SEATFAST_NAMESPACE", namespace, "SEATFAST_MIGRATE", "only");
    initialiseTwentyTimes(namespace, migrateOnly);
    assertEquals(migrations(), appliedVersions(namespace));

    Map<String, String> serving = with("SEATFAST_NAMESPACE", namespace);
    String workshop = Client.freshWorkshop();
    try (ServiceProcess service = ServiceProcess.start(serving)) {
      assertEquals(201, service.client().reserve(workshop, "all-seats", 4).status());
      assertEquals(409, service.client().reserve(workshop, "too-late", 1).status());
    }
    initialiseTwentyTimes(namespace, migrateOnly);
    assertEquals(migrations(), appliedVersions(namespace));
    try (ServiceProcess service = ServiceProcess.start(serving)) {
      assertEquals(4, service.client().status(workshop).get("reserved").intValue());
      assertEquals(1, service.client().status(workshop).get("rejectedRequests").intValue());
      assertTrue(service.client().reserve(workshop, "all-seats", 4).replayed());
    }
  }

  /** Four processes, and sixteen threads that do what those do without their long start. */
  private static void initialiseTwentyTimes(String namespace, Map<String, String> migrateOnly)
      throws Exception {
    List<Callable<Integer>> initialisations = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      initialisations.add(
          () -> {
            ServiceProcess migration = ServiceProcess.launch(migrateOnly);
            int exit = migration.awaitExit();
            assertEquals(0, exit, migration::log);
            return exit;
          });
    }
    for (int i = 0; i < 16; i++) {
      initialisations.add(() -> migrate(namespace));
    }
    Client.atOnce(initialisations);
  }

  private static int migrate(String namespace) throws Exception {
    Flyway flyway =
        Flyway.configure()
            .dataSource(database.jdbcUrl(), database.user(), database.password())
            .defaultSchema(namespace)
            .schemas(namespace)
            .load();
    new dev.seatfast.namespace.Migrator(flyway).run();
    return 0;
  }

  private static List<String> migrations() throws Exception {
    try (Stream<Path> files = Files.list(Path.of("src/main/resources/db/migration"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("V"))
          .map(name -> name.replaceAll("V(\\d+)__.*", "$1"))
          .sorted()
          .toList();
    }
  }

  private static List<String> appliedVersions(String namespace) throws Exception {
    List<String> versions = new ArrayList<>();
    try (Connection connection =
            DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        ResultSet rows =
            connection
                .createStatement()
                .executeQuery(
                    "SELECT version FROM "
                        + namespace
                        + ".flyway_schema_history WHERE success AND version IS NOT NULL"
                        + " ORDER BY installed_rank")) {
      while (rows.next()) {
        versions.add(rows.getString(1));
      }
    }
    return versions;
  }

  /** So that a container's file system may be read-only. */
  @Test
  void anInstanceNeedsNoFolderToWriteTo() throws Exception {
    Map<String, String> readOnly = new HashMap<>(with("SEATFAST_MIGRATE", "at-start"));
    // Nobody, not even root, can make a folder there.
    readOnly.put("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=/proc/nowhere");
    try (ServiceProcess service = ServiceProcess.start(readOnly)) {
      assertEquals(201, service.client().reserve(Client.freshWorkshop(), "request", 1).status());
    }
  }

  private static Map<String, String> with(String... more) {
    Map<String, String> all = new HashMap<>(settings);
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return all;
  }
}

package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.support.Client.Answer;
import dev.seatfast.support.ServiceProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the packaged service starts, and how it says why it doesn't. */
class PackagedStartIT {

  private static final String MAKES_HIBERNATE = "Instantiating factory";

  @TempDir Path folder;

  @Test
  void withoutADatabaseItStopsAndNamesTheTwoChoices() throws Exception {
    ServiceProcess service = ServiceProcess.launch(Map.of());
    assertEquals(2, service.awaitExit());
    String said = service.log();
    assertTrue(said.contains("quarkus.datasource.jdbc.url"), said);
    assertTrue(said.contains("seatfast.embedded-database=true"), said);
    assertEquals(1, said.lines().count(), said);
  }

  @ParameterizedTest
  @CsvSource({
    "SEATFAST_BATCH_REQUESTS_MAX, 0, batch.requests-max must be from 1 to 500",
    "SEATFAST_BATCH_TRANSACTIONS_MAX, 99, batch.transactions-max must be from 1 to 10",
    "SEATFAST_DEFAULT_CAPACITY, -1, default-capacity must be from 0 to 1000000000",
    "SEATFAST_STATEMENT_TIME_MAX, PT0.1S, statement-time-max must be from PT1S to PT1H",
    "SEATFAST_HOLD_TIME_MAX, 1S, hold.time-max must be from PT2M",
    "SEATFAST_NAMESPACE, no;such schema, seatfast.namespace must match",
    "SEATFAST_NAMESPACE, pg_catalog, seatfast.namespace must match",
    "SEATFAST_MIGRATE, nonsense, nonsense",
    "QUARKUS_DATASOURCE_JDBC_MAX_SIZE, 1, must be at least 2 to migrate at the start",
    "SEATFAST_STATEMENT_TIME_MAX, 10S, must be shorter than the driver's socketTimeout (PT10S)",
    "QUARKUS_DATASOURCE_JDBC_URL, nonsense, is no URL of PostgreSQL's driver",
    "QUARKUS_DATASOURCE_JDBC_URL, jdbc:mysql://localhost/db, is no URL of PostgreSQL's driver",
    "QUARKUS_DATASOURCE_JDBC_URL, jdbc:postgresql://localhost, is no URL of PostgreSQL's driver",
    "QUARKUS_DATASOURCE_JDBC_URL, jdbc:postgresql://me:secret@host:1/db, is no URL of PostgreSQL's",
    "QUARKUS_DATASOURCE_JDBC_URL, jdbc:postgresql://host:port/db, is no URL of PostgreSQL's driver",
    "QUARKUS_DATASOURCE_JDBC_URL, jdbc:postgresql://host/db?sslmode=verify, Invalid sslmode value",
    "QUARKUS_DATASOURCE_JDBC_URL, jdbc:postgresql://host/db?socketTimeout=3, must be shorter than",
    "QUARKUS_DATASOURCE_JDBC_URL, jdbc:postgresql:///db?socketFactory=no.Such, names a socketFactory",
    "QUARKUS_DATASOURCE_JDBC_ACQUISITION_TIMEOUT, 0, acquisition-timeout must be from PT0.001S to",
    "SEATFAST_EMBEDDED_DATABASE_PORT, 70000, embedded-database-port must be from 0 to 65535",
    "SEATFAST_DATABASE_PASSWORD_FILE, /none, needs quarkus.datasource.jdbc.url beside it"
  })
  void aSettingThatCannotWorkStopsItWithOneLineBeforeAnythingStarts(
      String name, String value, String complaint) throws Exception {
    Map<String, String> settings = new HashMap<>(ServiceProcess.onEmbeddedDatabase(folder));
    settings.put(name, value);
    ServiceProcess service = ServiceProcess.launch(settings);
    assertEquals(2, service.awaitExit());
    assertTrue(service.log().contains(complaint), service.log());
    assertEquals(1, service.log().lines().count(), service.log());
    assertFalse(service.log().contains("secret"), service.log());
    assertTrue(Files.notExists(folder.resolve("data")));
  }

  @Test
  void aSettingOfTheProfileInAFileOfTheOperatorsStopsItAsWell() throws Exception {
    Path file = folder.resolve("ours.properties");
    Files.writeString(file, "%ours.seatfast.batch.requests-max=0\n");
    Map<String, String> settings = new HashMap<>(ServiceProcess.onEmbeddedDatabase(folder));
    settings.put("QUARKUS_PROFILE", "ours");
    settings.put("QUARKUS_CONFIG_LOCATIONS", file.toString());
    ServiceProcess service = ServiceProcess.launch(settings);
    assertEquals(2, service.awaitExit(), service::log);
    assertTrue(service.log().contains("batch.requests-max must be from 1"), service.log());
    assertTrue(Files.notExists(folder.resolve("data")));
  }

  @ParameterizedTest
  @CsvSource({
    "SEATFAST_DATABASE_PASSWORD_FILE, /none, names no readable file: /none",
    "SEATFAST_DATABASE_AWS_IAM_REGION, eu-west-1, AWS_ACCESS_KEY_ID is not set"
  })
  void credentialsThatAreNotThereStopItWithOneLine(String name, String value, String complaint)
      throws Exception {
    ServiceProcess service =
        ServiceProcess.launch(
            Map.of(
                "QUARKUS_DATASOURCE_JDBC_URL",
                "jdbc:postgresql://localhost/postgres",
                "QUARKUS_DATASOURCE_USERNAME",
                "renter",
                name,
                value));
    assertEquals(2, service.awaitExit(), service::log);
    assertTrue(service.log().contains(complaint), service.log());
    assertEquals(1, service.log().lines().count(), service.log());
  }

  @Test
  void theEmbeddedDatabaseIsAsDurableAsAnyAndLogsAreJson() throws Exception {
    try (ServiceProcess service = ServiceProcess.start(ServiceProcess.onEmbeddedDatabase(folder))) {
      assertEquals(201, service.client().reserve("first", "request", 1).status());
      assertTrue(
          service
              .log()
              .lines()
              .anyMatch(
                  line ->
                      line.startsWith("{")
                          && line.contains("\"message\":\"reservation_decided\"")
                          && line.contains("\"workshop\":\"first\"")),
          service.log());
      assertTrue(service.log().contains("no backup"));
    }
  }

  @Test
  void whatNoDecisionNeedsIsNotMadeAtTheStart() throws Exception {
    try (ServiceProcess service = ServiceProcess.start(withEveryLogLine())) {
      assertEquals(201, service.client().reserve("first", "request", 1).status());
      assertFalse(service.log().contains(MAKES_HIBERNATE));
    }
  }

  @Test
  void itDescribesItsRoutesInYamlAndInJsonWithoutThoseForOperators() throws Exception {
    try (ServiceProcess service = ServiceProcess.start(ServiceProcess.onEmbeddedDatabase(folder))) {
      for (String path : List.of("/q/openapi", "/q/openapi?format=json")) {
        Answer answer = service.client().get(path, "not-the-token");
        assertEquals(200, answer.status());
        assertTrue(answer.response().body().contains("/workshops/{workshop}/reservations"), path);
        assertFalse(answer.response().body().contains("/internal/"), path);
      }
    }
  }

  @Test
  void whereThereAreOperatorsTheyCanListAttempts() throws Exception {
    Map<String, String> settings = withEveryLogLine();
    settings.put("SEATFAST_INTERNAL_TOKEN", "token");
    try (ServiceProcess service = ServiceProcess.start(settings)) {
      assertEquals(201, service.client().reserve("first", "request", 1).status());
      Answer attempts = service.client().get("/api/workshops/first/attempts", "token");
      assertEquals(200, attempts.status());
      assertTrue(attempts.response().body().contains("\"requestId\":\"request\""));
      assertTrue(service.log().contains(MAKES_HIBERNATE));
    }
  }

  private Map<String, String> withEveryLogLine() {
    Map<String, String> settings = new HashMap<>(ServiceProcess.onEmbeddedDatabase(folder));
    settings.put("QUARKUS_LOG_LEVEL", "DEBUG");
    settings.put("QUARKUS_LOG_CONSOLE_ASYNC_ENABLED", "false");
    return settings;
  }
}

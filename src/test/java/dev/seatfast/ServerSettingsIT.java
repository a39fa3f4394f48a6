package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.support.DatabaseOwner;
import dev.seatfast.support.PgBouncer;
import dev.seatfast.support.ServiceProcess;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server, database or role whose settings would break a promise is refused with a reason. */
class ServerSettingsIT {

  @TempDir static Path folder;

  private static DatabaseOwner owner;

  @BeforeAll
  static void startDatabase() throws Exception {
    owner = new DatabaseOwner(EmbeddedDatabase.start(folder, 0));
    owner.migrate();
    owner.execute(
        "CREATE ROLE service LOGIN PASSWORD 'a-password'",
        "GRANT USAGE ON SCHEMA seatfast TO service",
        "GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA seatfast TO service",
        "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0",
        "CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0");
  }

  @AfterAll
  static void stopDatabase() {
    owner.database().close();
  }

  @BeforeEach
  void resetRole() throws Exception {
    owner.execute(
        "ALTER ROLE service RESET ALL",
        "ALTER ROLE service CONNECTION LIMIT -1",
        "ALTER DATABASE postgres RESET ALL");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "synchronous_commit = off",
        "client_min_messages = error",
        "default_transaction_isolation = 'repeatable read'",
        "default_transaction_isolation = 'serializable'",
        "search_path = public, pg_catalog"
      })
  void aSettingOfTheRoleOrTheDatabaseThatBreaksAPromiseIsRefused(String setting) throws Exception {
    String name = setting.replaceAll(" .*", "");
    owner.execute("ALTER ROLE service SET " + setting);
    assertRefused(asService(), name);
    owner.execute("ALTER ROLE service RESET ALL", "ALTER DATABASE postgres SET " + setting);
    assertRefused(asService(), name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"latin", "ascii"})
  void aDatabaseThatIsNotUnicodeIsNeitherMigratedNorUsed(String database) throws Exception {
    Map<String, String> settings =
        owner.settings(
            "QUARKUS_DATASOURCE_JDBC_URL",
            owner.database().jdbcUrl().replace("/postgres", "/" + database));
    assertRefused(settings, "server_encoding", "migrate");
    Map<String, String> atStart = new HashMap<>(settings);
    atStart.put("SEATFAST_MIGRATE", "at-start");
    assertRefused(atStart, "server_encoding");
  }

  @Test
  void behindAPoolerTheSettingsOfTheRoleAreSeenToo() throws Exception {
    PgBouncer.whyNot(PgBouncer.Statements.PLAIN).ifPresent(reason -> Assumptions.abort(reason));
    owner.execute("ALTER DATABASE postgres SET synchronous_commit = off");
    try (PgBouncer pooler = PgBouncer.before(owner.database(), PgBouncer.Statements.PLAIN)) {
      assertRefused(
          owner.settings("QUARKUS_DATASOURCE_JDBC_URL", pooler.jdbcUrl()), "synchronous_commit");
    }
  }

  @Test
  void whatIsOnlyUnwiseIsSaidInOneWarningEach() throws Exception {
    owner.execute(
        "ALTER ROLE service CONNECTION LIMIT 5",
        "ALTER ROLE service SET synchronous_commit = local",
        "ALTER SYSTEM SET synchronous_standby_names = 'away'",
        "SELECT pg_reload_conf()");
    try (ServiceProcess service = ServiceProcess.start(asService())) {
      Awaitility.await().until(() -> service.log().contains("only 5 sessions"));
      assertTrue(service.log().contains("synchronous_commit is 'local'"), service::log);
      assertEquals(201, service.client().reserve("workshop", "request", 1).status());
    } finally {
      owner.execute(
          "SET synchronous_commit = local", "ALTER SYSTEM RESET ALL", "SELECT pg_reload_conf()");
    }
  }

  @Test
  void aServerAsItComesIsNotComplainedOf() throws Exception {
    Map<String, String> checkedBeforeItStarts = owner.settings("SEATFAST_MIGRATE", "at-start");
    try (ServiceProcess service = ServiceProcess.start(checkedBeforeItStarts)) {
      assertEquals(201, service.client().reserve("workshop", "other", 1).status());
      assertEquals(List.of(), service.complaints());
    }
  }

  private static void assertRefused(Map<String, String> settings, String why, String... arguments)
      throws Exception {
    ServiceProcess refused = ServiceProcess.launch(settings, arguments);
    assertEquals(2, refused.awaitExit(), refused::log);
    assertTrue(refused.log().contains(why), refused::log);
    assertFalse(refused.log().contains("\tat "), refused::log);
  }

  private static Map<String, String> asService() {
    return owner.settings(
        "QUARKUS_DATASOURCE_USERNAME", "service", "QUARKUS_DATASOURCE_PASSWORD", "a-password");
  }
}

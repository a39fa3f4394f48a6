package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.support.DatabaseOwner;
import dev.seatfast.support.ServiceProcess;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A role that lacks a right is told which one, at once, and nothing is changed or locked. */
class RightsIT {

  @TempDir static Path folder;

  private static DatabaseOwner owner;

  @BeforeAll
  static void startDatabase() throws Exception {
    owner = new DatabaseOwner(EmbeddedDatabase.start(folder, 0));
    for (String role : new String[] {"migrator", "service"}) {
      owner.execute("CREATE ROLE %s LOGIN PASSWORD 'a-password'".formatted(role));
    }
  }

  @AfterAll
  static void stopDatabase() {
    owner.database().close();
  }

  @BeforeEach
  void startAnew() throws Exception {
    owner.execute(
        "DROP SCHEMA IF EXISTS seatfast CASCADE",
        "ALTER ROLE migrator RESET ALL",
        "GRANT CREATE ON DATABASE postgres TO migrator");
  }

  @Test
  void migratingTakesTheRightToCreateInTheDatabaseOrTheSchema() throws Exception {
    owner.execute("REVOKE CREATE ON DATABASE postgres FROM migrator");
    assertRefused("migrator", "migrate", "it needs CREATE on the database");
    owner.execute("CREATE SCHEMA seatfast");
    assertRefused("migrator", "migrate", "permission denied for schema seatfast");
    owner.execute("GRANT USAGE ON SCHEMA seatfast TO migrator");
    assertRefused("migrator", "migrate", "it needs CREATE on the schema seatfast");
    owner.execute("GRANT CREATE ON SCHEMA seatfast TO migrator");
    assertDone("migrator", "migrate");
    owner.execute("REVOKE CREATE ON SCHEMA seatfast FROM migrator");
    assertDone("migrator", "migrate");
  }

  @Test
  void migratingTakesTheTablesThatThereAre() throws Exception {
    owner.migrate();
    owner.execute(
        "GRANT ALL ON SCHEMA seatfast TO migrator",
        "GRANT ALL ON ALL TABLES IN SCHEMA seatfast TO migrator",
        "UPDATE seatfast.flyway_schema_history SET version = '0.' || version"
            + " WHERE version <> '1'");
    assertRefused("migrator", "migrate", "it does not own function");
  }

  @Test
  void migratingTakesASessionThatWrites() throws Exception {
    owner.execute("ALTER ROLE migrator SET default_transaction_read_only = on");
    assertRefused("migrator", "migrate", "read-only transaction");
  }

  /** As for a service that is told of the end, whose role only reads and writes. */
  @Test
  void deletingTakesAnOwnerAndLocksNothingBefore() throws Exception {
    twoRoles();
    try (Connection reading = owner.connect()) {
      reading.setAutoCommit(false);
      reading.createStatement().execute("SELECT count(*) FROM seatfast.reservation_attempt");
      assertRefused("service", "delete", "it does not own function");
      ServiceProcess service =
          ServiceProcess.launch(as("service", "SEATFAST_NAMESPACE_STATE", "deleted"));
      assertEquals(2, service.awaitExit(), service::log);
      assertTrue(service.log().contains("it does not own"), service::log);
    }
    assertDone("migrator", "delete");
    assertDone("service", "delete");
    try (ServiceProcess service =
        ServiceProcess.start(as("service", "SEATFAST_NAMESPACE_STATE", "deleted"))) {
      assertEquals(410, service.client().get("/").status());
    }
  }

  @Test
  void startingTakesTheRightToLook() throws Exception {
    twoRoles();
    owner.execute("REVOKE ALL ON SCHEMA seatfast FROM service");
    ServiceProcess refused = ServiceProcess.launch(as("service"));
    assertEquals(2, refused.awaitExit(), refused::log);
    assertTrue(refused.log().contains("permission denied for schema seatfast"), refused::log);
  }

  /** Only its owner can take that right away. */
  @Test
  void aSchemaOfSomebodyElseIsDeletedAndSaysWhatItsOwnerHasToRevoke() throws Exception {
    owner.execute("CREATE SCHEMA seatfast", "GRANT ALL ON SCHEMA seatfast TO migrator");
    assertDone("migrator", "migrate");
    ServiceProcess deletion = ServiceProcess.launch(as("migrator"), "delete");
    assertEquals(0, deletion.awaitExit(), deletion::log);
    assertTrue(
        deletion
            .log()
            .contains(
                "the role migrator can still create tables in the schema seatfast: its owner "
                    + owner.database().user()),
        deletion::log);
    owner.execute("REVOKE CREATE ON SCHEMA seatfast FROM migrator");
    ServiceProcess again = ServiceProcess.launch(as("migrator"), "delete");
    assertEquals(0, again.awaitExit(), again::log);
    assertFalse(again.log().contains("can still create"), again::log);
  }

  private static void twoRoles() throws Exception {
    assertDone("migrator", "migrate");
    owner.execute(
        "GRANT USAGE ON SCHEMA seatfast TO service",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA seatfast TO service");
  }

  private static void assertRefused(String role, String action, String why) throws Exception {
    ServiceProcess refused = ServiceProcess.launch(as(role), action);
    assertEquals(2, refused.awaitExit(), refused::log);
    assertTrue(refused.log().contains(why), refused::log);
    assertFalse(refused.log().contains("again, after"), refused::log);
  }

  private static void assertDone(String role, String action) throws Exception {
    ServiceProcess done = ServiceProcess.launch(as(role), action);
    assertEquals(0, done.awaitExit(), done::log);
  }

  private static Map<String, String> as(String role, String... more) {
    Map<String, String> settings = owner.settings(more);
    settings.put("QUARKUS_DATASOURCE_USERNAME", role);
    settings.put("QUARKUS_DATASOURCE_PASSWORD", "a-password");
    return settings;
  }
}

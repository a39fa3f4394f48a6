package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.support.DatabaseOwner;
import dev.seatfast.support.ServiceProcess;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is not ours is neither migrated nor deleted, wherever it stands. */
class ForeignSchemaIT {

  private static final String HISTORY =
      "CREATE TABLE %s.flyway_schema_history (installed_rank int, version text, script text,"
          + " success boolean)";

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

  /** Another program's schema, by its tables, its history, and names that are like ours. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "public     | CREATE TABLE public.invoice (id int)",
        "billing    | CREATE TABLE billing.invoice (id int)",
        "migrated   | INSERT INTO migrated.flyway_schema_history VALUES (1, '1', 'V1__init.sql', true)",
        "namesake   | INSERT INTO namesake.flyway_schema_history VALUES (1, '1', 'V1__tables.sql', true);"
            + " CREATE TABLE namesake.invoice (id int); CREATE TABLE namesake.seat_pool (id int)",
        "memorial   | CREATE TABLE memorial.tombstone (epitaph text)",
        "functional | CREATE FUNCTION functional.one() RETURNS int LANGUAGE sql AS 'SELECT 1'"
      })
  void anotherProgramsSchemaIsNeitherDeletedNorMigrated(String schema, String content)
      throws Exception {
    owner.execute("CREATE SCHEMA IF NOT EXISTS " + schema);
    if (content.contains("flyway_schema_history")) {
      owner.execute(HISTORY.formatted(schema));
    }
    owner.execute(content);
    String before = content(schema);
    for (String action : new String[] {"delete", "migrate"}) {
      ServiceProcess refused = ServiceProcess.launch(settings(schema), action);
      assertEquals(2, refused.awaitExit(), refused::log);
      assertTrue(
          refused.log().contains("The schema " + schema + " holds what is not Seatfast's ("),
          refused::log);
      assertFalse(refused.log().contains("\tat "), refused::log);
      assertEquals(before, content(schema));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE ours.report (id int)",
        "CREATE VIEW ours.report AS SELECT * FROM ours.seat_pool",
        "CREATE VIEW elsewhere.report AS SELECT * FROM ours.seat_pool",
        "CREATE TABLE elsewhere.report (pool text REFERENCES ours.seat_pool)"
      })
  void whatOthersHaveBuiltOnOursKeepsItFromBeingDeleted(String sql) throws Exception {
    owner.execute("DROP SCHEMA IF EXISTS ours, elsewhere CASCADE", "CREATE SCHEMA elsewhere");
    owner.migrate("ours");
    owner.execute(sql);
    String before = content("ours");
    ServiceProcess refused = ServiceProcess.launch(settings("ours"), "delete");
    assertEquals(2, refused.awaitExit(), refused::log);
    assertTrue(refused.log().contains("report"), refused::log);
    assertEquals(before, content("ours"));
    assertEquals("1", owner.ask("SELECT count(*) FROM pg_class WHERE relname = 'report'"));
    ServiceProcess migration = ServiceProcess.launch(settings("ours"), "migrate");
    assertEquals(0, migration.awaitExit(), migration::log);
  }

  /** After a rollback, the older program still has to be able to delete. */
  @Test
  void whatANewerVersionHasMadeIsDeletedToo() throws Exception {
    owner.migrate("newer");
    owner.execute(
        "INSERT INTO newer.flyway_schema_history (installed_rank, version, description, type,"
            + " script, installed_by, execution_time, success)"
            + " VALUES (99, '99', 'more', 'SQL', 'V99__more.sql', 'me', 1, true)",
        "CREATE TYPE newer.mood AS ENUM ('good')",
        "CREATE TYPE newer.spell AS RANGE (subtype = integer)",
        "CREATE TABLE newer.waiting (id serial PRIMARY KEY, mood newer.mood)",
        "CREATE VIEW newer.look AS SELECT * FROM newer.waiting",
        "CREATE MATERIALIZED VIEW newer.seen AS SELECT * FROM newer.look",
        "CREATE FUNCTION newer.first() RETURNS newer.waiting LANGUAGE sql"
            + " AS 'SELECT * FROM newer.waiting LIMIT 1'",
        "CREATE SEQUENCE newer.counter");
    ServiceProcess deletion = ServiceProcess.launch(settings("newer"), "delete");
    assertEquals(0, deletion.awaitExit(), deletion::log);
    assertEquals("table newer.tombstone", content("newer"));
  }

  /** Its functions go on to work on the schema that has the old name now. */
  @Test
  void aSchemaThatWasGivenAnotherNameIsRefusedUntilItHasItsOwnAgain() throws Exception {
    owner.migrate("original");
    owner.execute("ALTER SCHEMA original RENAME TO restored");
    owner.migrate("original");
    ServiceProcess restored = ServiceProcess.launch(settings("restored"));
    assertEquals(4, restored.awaitExit(), restored::log);
    assertTrue(restored.log().contains("in the schema restored work on"), restored::log);
    owner.execute("DROP SCHEMA original CASCADE", "ALTER SCHEMA restored RENAME TO original");
    try (ServiceProcess service = ServiceProcess.start(settings("original"))) {
      assertEquals(201, service.client().reserve("workshop", "request", 1).status());
    }
  }

  private static Map<String, String> settings(String schema) {
    return owner.settings("SEATFAST_NAMESPACE", schema);
  }

  private static String content(String schema) throws Exception {
    return owner.ask(
        "SELECT coalesce(string_agg(o.type || ' ' || o.identity, ', ' ORDER BY o.identity), '')"
            + " FROM pg_depend d, pg_identify_object(d.classid, d.objid, 0) o"
            + " WHERE d.refobjid = '%s'::regnamespace AND d.deptype = 'n'".formatted(schema));
  }
}

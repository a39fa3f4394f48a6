package dev.seatfast.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.seatfast.database.Database;
import dev.seatfast.database.Parameters;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What the schema keeps to so that a distributed PostgreSQL can put each pool on one node, read
 * from the catalog of the real database.
 */
@QuarkusTest
class DistributableSchemaTest {

  private static final Path CITUS =
      Path.of(System.getProperty("basedir", "."), "deploy/citus/distribute.sql");

  @Inject Database database;

  @Test
  void everyKeyBeginsWithThePoolsUnlessItIsOfNoPool() {
    assertEquals(
        List.of("api_token_pk", "audit_entry_pk", "event_position_pk", "hold_group_pk"),
        ours(
            """
            SELECT i.indexrelid::regclass::text
              FROM pg_index i
              JOIN pg_class t ON t.oid = i.indrelid
              JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
             WHERE t.relnamespace = '{schema}'::regnamespace AND i.indisunique
               AND t.relname <> 'flyway_schema_history' AND a.attname <> 'pool_key'
             ORDER BY 1
            """));
  }

  @Test
  void nothingReachesFromOnePoolToAnother() {
    assertEquals(
        List.of(),
        ours(
            """
            SELECT relname FROM pg_class
             WHERE relnamespace = '{schema}'::regnamespace AND relkind = 'S'
            UNION ALL
            SELECT tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
             WHERE c.relnamespace = '{schema}'::regnamespace
            UNION ALL
            SELECT conname FROM pg_constraint
             WHERE connamespace = '{schema}'::regnamespace AND contype = 'f'
            """),
        "sequences, triggers and foreign keys");
  }

  @Test
  void everyFunctionThatDecidesTakesThePoolsKeyFirst() {
    assertEquals(
        List.of(
            "extended_end",
            "hold_group",
            "position_events",
            "settle_group",
            "settlement_outcome",
            "shut_reason"),
        ours(
            """
            SELECT proname FROM pg_proc
             WHERE pronamespace = '{schema}'::regnamespace AND proargnames[1] <> 'p_pool_key'
             ORDER BY 1
            """),
        "only these are about no pool, or about several");
  }

  @Test
  void everyTableAndFunctionHasItsPlaceOnCitus() throws IOException {
    String script = Files.readString(CITUS);
    List<String> names =
        ours(
            """
            SELECT relname FROM pg_class
             WHERE relnamespace = '{schema}'::regnamespace AND relkind = 'r'
            UNION
            SELECT proname FROM pg_proc WHERE pronamespace = '{schema}'::regnamespace
            """);
    assertEquals(
        List.of(),
        names.stream().filter(name -> !script.matches("(?s).*\\b" + name + "\\b.*")).toList());
  }

  private List<String> ours(String sql) {
    return database.list(
        sql.replace("{schema}", "seatfast"),
        Parameters.Binder.NONE,
        row -> row.getString(1).replaceFirst("^seatfast\\.", ""));
  }
}

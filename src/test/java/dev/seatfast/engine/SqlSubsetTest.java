package dev.seatfast.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.engine.SqlSubset.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Decisions stay within the SQL that poolers in transaction mode and distributed engines also run.
 */
class SqlSubsetTest {

  /** Fewer than there were when this was written: then the search is broken, not the SQL good. */
  private static final int MIGRATIONS_MIN = 4;

  private static final int OBJECTS_MIN = 10;
  private static final int STATEMENTS_MIN = 15;

  /**
   * What is allowed all the same.
   *
   * @param file where the SQL stands
   * @param reason why no decision suffers from it
   */
  private record Allowed(String file, Rule rule, String reason) {}

  private static final List<Allowed> EXCEPTIONS =
      List.of(
          new Allowed(
              "Sweep.java",
              Rule.MANY_POOLS_LOCKED,
              "takes what nobody has locked and waits for nothing; without it holds expire as well"),
          new Allowed(
              "Events.java",
              Rule.MANY_POOLS_CHANGED,
              "gives events of all pools one order; it is a reader who waits for that"),
          new Allowed(
              "beforeEachMigrate.sql",
              Rule.ADVISORY_LOCK,
              "keeps a migration and a deletion apart; no decision takes it"));

  private final List<Sql> migrations = SqlSources.migrations();
  private final List<Sql> statements = SqlSources.javaStatements();
  private final SqlSubset subset = new SqlSubset(migrations);

  @Test
  void noStatementLeavesTheSubset() {
    List<String> broken = new ArrayList<>();
    for (Sql sql : all()) {
      for (Rule rule : subset.brokenBy(sql)) {
        if (!isException(sql, rule)) {
          broken.add(
              "%s breaks %s, because %s:%n%s"
                  .formatted(sql.file(), rule, rule.reason, sql.code().strip()));
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void everyExceptionIsStillNeeded() {
    for (Allowed exception : EXCEPTIONS) {
      assertTrue(
          all().stream()
              .filter(sql -> sql.file().equals(exception.file()))
              .anyMatch(sql -> subset.brokenBy(sql).contains(exception.rule())),
          () -> exception + " is about nothing any more");
    }
  }

  @Test
  void theSearchFindsWhatThereIs() {
    assertTrue(migrations.size() >= MIGRATIONS_MIN, () -> "Only " + migrations.size());
    assertTrue(statements.size() >= STATEMENTS_MIN, () -> "Only " + statements.size());
    int objects = subset.tables().size() + subset.functions().size();
    assertTrue(objects >= OBJECTS_MIN, () -> "Only " + objects + " tables and functions");
  }

  @Test
  void theSearchFindsTextBlocksAndStringsButNoProse() {
    String java =
        """
        // "SELECT 1 FROM commented_out"
        /* "SELECT 2 FROM commented_out" */
        char quote = '"';
        run(\"""
            SELECT a FROM {schema}.seat_pool
            \""");
        run("DELETE FROM {schema}.seat_pool " + "WHERE pool_key = ?");
        say("Set the password to something else", "Update it", "a \\" SELECT");
        """;
    List<Sql> found = SqlSources.statementsOf("dev/seatfast/engine/Sample.java", java);
    assertEquals(
        List.of(
            "SELECT a FROM {schema}.seat_pool",
            "DELETE FROM {schema}.seat_pool WHERE pool_key = ?"),
        found.stream().map(sql -> sql.code().strip()).toList());
  }

  @Test
  void everyTableAndFunctionHasItsPlaceOnCitus() throws IOException {
    String statements = Files.readString(SqlSources.PROJECT.resolve("deploy/citus/distribute.sql"));
    List<String> missing =
        Stream.concat(
                subset.tables().stream().map("'%%I.%s'"::formatted),
                subset.functions().stream().map("'%s'"::formatted))
            .filter(name -> !statements.contains(name))
            .toList();
    assertEquals(List.of(), missing);
  }

  static Stream<Arguments> samplesThatBreakARule() {
    return Stream.of(
        sample(Rule.SEQUENCE, "CREATE TABLE {schema}.t (id bigserial)"),
        sample(Rule.SEQUENCE, "CREATE TABLE {schema}.t (id bigint GENERATED ALWAYS AS IDENTITY)"),
        sample(Rule.SEQUENCE, "CREATE SEQUENCE {schema}.numbers"),
        sample(Rule.SEQUENCE, "SELECT nextval('numbers')"),
        sample(Rule.TRIGGER, "CREATE OR REPLACE TRIGGER t BEFORE INSERT ON {schema}.seat_pool"),
        sample(Rule.TRIGGER, "CREATE FUNCTION {schema}.f() RETURNS trigger AS $$ BEGIN END $$"),
        sample(Rule.ADVISORY_LOCK, "SELECT pg_advisory_xact_lock(?)"),
        sample(Rule.ADVISORY_LOCK, "SELECT pg_try_advisory_lock(1)"),
        sample(Rule.SESSION_STATE, "SET lock_timeout = '2s'"),
        sample(Rule.SESSION_STATE, "SET SESSION lock_timeout = '2s'"),
        sample(Rule.SESSION_STATE, "CREATE FUNCTION {schema}.f() AS $$ BEGIN SET a = 1; END $$"),
        sample(Rule.SESSION_STATE, "SELECT set_config('search_path', 'x', false)"),
        sample(Rule.SESSION_STATE, "CREATE TEMP TABLE t (a integer)"),
        sample(Rule.SESSION_STATE, "CREATE TEMPORARY TABLE t (a integer)"),
        sample(Rule.SESSION_STATE, "LISTEN decisions"),
        sample(Rule.SESSION_STATE, "SELECT 1; NOTIFY decisions"),
        sample(Rule.SESSION_STATE, "SELECT pg_notify('decisions', ?)"),
        sample(Rule.SESSION_STATE, "PREPARE p AS SELECT 1"),
        sample(Rule.SESSION_STATE, "DECLARE c CURSOR WITH HOLD FOR SELECT 1"),
        sample(Rule.UNQUALIFIED_NAME, "SELECT 1 FROM seat_pool WHERE pool_key = ?"),
        sample(Rule.UNQUALIFIED_NAME, "SELECT 1 FROM public.seat_pool WHERE pool_key = ?"),
        sample(Rule.UNQUALIFIED_NAME, "SELECT * FROM settle(?, ?)"),
        sample(
            Rule.KEY_WITHOUT_POOL,
            "CREATE TABLE {schema}.pool_event (pool_key text, n bigint, PRIMARY KEY (n, pool_key))"),
        sample(
            Rule.KEY_WITHOUT_POOL,
            "ALTER TABLE {schema}.seat_pool ADD COLUMN number bigint UNIQUE"),
        sample(
            Rule.KEY_WITHOUT_POOL, "ALTER TABLE {schema}.seat_pool ADD CONSTRAINT u UNIQUE (name)"),
        sample(
            Rule.KEY_WITHOUT_POOL,
            "CREATE UNIQUE INDEX i ON {schema}.reservation_attempt (reservation_id)"),
        sample(Rule.MANY_POOLS_CHANGED, "UPDATE {schema}.seat_pool SET reserved = 0"),
        sample(Rule.MANY_POOLS_CHANGED, "DELETE FROM {schema}.pool_event WHERE number < ?"),
        sample(
            Rule.MANY_POOLS_CHANGED,
            "DELETE FROM {schema}.rejection_tally WHERE pool_key = ? OR true"),
        sample(Rule.MANY_POOLS_CHANGED, "DELETE FROM {schema}.rejection_tally WHERE pool_key <> ?"),
        sample(Rule.MANY_POOLS_CHANGED, "DELETE FROM {schema}.pool_event WHERE old_pool_key = ?"),
        sample(
            Rule.MANY_POOLS_CHANGED,
            "UPDATE {schema}.reservation_attempt a SET seats = 1 WHERE a.state = 'HELD' AND a.seats IN"
                + " (SELECT 1 FROM {schema}.seat_pool WHERE pool_key = ?)"),
        sample(
            Rule.MANY_POOLS_CHANGED,
            "WITH gone AS (DELETE FROM {schema}.pool_event RETURNING pool_key)"
                + " SELECT * FROM gone WHERE pool_key = ?"),
        sample(
            Rule.MANY_POOLS_LOCKED,
            "SELECT 1 FROM {schema}.seat_pool WHERE reserved > 0 FOR UPDATE"),
        sample(Rule.MANY_POOLS_LOCKED, "SELECT 1 FROM {schema}.seat_pool FOR NO KEY UPDATE"));
  }

  private static Arguments sample(Rule rule, String sql) {
    return Arguments.of(rule, sql);
  }

  @ParameterizedTest
  @MethodSource("samplesThatBreakARule")
  void whatLeavesTheSubsetIsNoticed(Rule rule, String sql) {
    assertEquals(Set.of(rule), subset.brokenBy(Sql.decision("Sample.java", sql)));
  }

  @Test
  void aMigrationMustNameItsSchemaByTheMigrationsPlaceholder() {
    assertEquals(
        Set.of(Rule.UNQUALIFIED_NAME),
        subset.brokenBy(Sql.migration("V9.sql", "ALTER TABLE seat_pool ADD note text;")));
    assertEquals(
        Set.of(),
        subset.brokenBy(
            Sql.migration(
                "V9.sql", "ALTER TABLE ${flyway:defaultSchema}.seat_pool ADD note text;")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE {schema}.seat_pool p SET capacity = ? WHERE p.pool_key = ? RETURNING p.reserved",
        "UPDATE {schema}.seat_pool SET capacity = 1 WHERE reserved < 2 AND pool_key = ?",
        "INSERT INTO {schema}.seat_pool AS p (pool_key, capacity) VALUES (?, ?)"
            + " ON CONFLICT (pool_key) DO UPDATE SET capacity = EXCLUDED.capacity",
        "SELECT 1 FROM {schema}.seat_pool p WHERE p.pool_key = ? FOR UPDATE SKIP LOCKED",
        "SELECT last FROM {schema}.event_position FOR UPDATE",
        "CREATE TABLE {schema}.seat_pool (pool_key text, CONSTRAINT k PRIMARY KEY (pool_key))",
        "CREATE UNIQUE INDEX i ON {schema}.pool_event (pool_key, position); CREATE INDEX j ON {schema}.t (a)",
        "CREATE TABLE {schema}.hold_group (group_id uuid PRIMARY KEY)",
        "CREATE FUNCTION {schema}.f() SET lock_timeout = '2s' AS $$ BEGIN END $$",
        "SET LOCAL lock_timeout = '2s'",
        "SELECT 'CREATE TEMP TABLE, nextval(1)' -- LISTEN; pg_advisory_lock()",
      })
  void whatIsInsideTheSubsetIsLeftAlone(String sql) {
    assertEquals(Set.of(), subset.brokenBy(Sql.decision("Sample.java", sql)));
  }

  @Test
  void onlyTheNamespacesLifeMayTakeAdvisoryLocks() {
    String java = "run(\"SELECT pg_advisory_lock(1)\");";
    assertEquals(Set.of(), rulesBrokenIn("dev/seatfast/namespace/Sample.java", java));
    assertEquals(
        Set.of(Rule.ADVISORY_LOCK), rulesBrokenIn("dev/seatfast/engine/Sample.java", java));
  }

  private Set<Rule> rulesBrokenIn(String path, String java) {
    return subset.brokenBy(SqlSources.statementsOf(path, java).get(0));
  }

  private List<Sql> all() {
    return Stream.concat(migrations.stream(), statements.stream()).toList();
  }

  private static boolean isException(Sql sql, Rule rule) {
    return EXCEPTIONS.stream().anyMatch(e -> e.file().equals(sql.file()) && e.rule() == rule);
  }
}

package dev.seatfast.namespace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.database.DatabaseConfig;
import dev.seatfast.database.Maintenance;
import dev.seatfast.database.SchemaCheck;
import dev.seatfast.support.TestDatabase;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
class SchemaContentTest {

  @Inject Maintenance maintenance;
  @Inject DatabaseConfig config;

  /** Or the program would not delete what its own migrations have made. */
  @Test
  void itKnowsExactlyWhatTheMigrationsMake() throws Exception {
    SchemaContent content = migrated();
    assertEquals(List.of(), content.foreign());
    Set<String> made =
        content.objects().stream()
            .map(SchemaObject::name)
            .collect(Collectors.toCollection(TreeSet::new));
    made.add("tombstone"); // which only a deletion makes
    Set<String> known = new TreeSet<>(SchemaObject.TABLES);
    known.addAll(SchemaObject.FUNCTIONS);
    assertEquals(known, made);
  }

  @Test
  void aMigratedSchemaIsOursToChange() throws Exception {
    SchemaContent content = migrated();
    assertTrue(content.isOursOrEmpty());
    assertTrue(content.exists());
    assertTrue(content.mayCreate());
    assertTrue(content.ownsHistory());
    assertEquals(SchemaCheck.VERSION, content.version());
    assertFalse(content.isDeleted());
    assertFalse(content.isNewer());
    assertEquals(List.of(), content.notOwned());
  }

  @Test
  void aHistoryWithoutAnEntryIsAMigrationThatHasJustBegun() {
    SchemaObject history =
        new SchemaObject("table", "flyway_schema_history", "s.flyway_schema_history", true);
    assertTrue(content(0, false, history).isOursOrEmpty());
    assertFalse(content(0, true, history).isOursOrEmpty());
    assertFalse(content(0, false, history, table("invoice")).isOursOrEmpty());
  }

  @Test
  void namesThatAreLikeOursAreNotEnough() {
    assertFalse(content(0, false, table("seat_pool")).isOursOrEmpty());
    assertFalse(content(0, false, table("tombstone")).isOursOrEmpty());
    assertFalse(content(1, false, table("seat_pool"), table("invoice")).isOursOrEmpty());
    assertTrue(content(0, false).isOursOrEmpty());
  }

  private SchemaContent migrated() throws Exception {
    String schema = config.namespace().schema();
    return maintenance.run(session -> SchemaContent.read(session, schema));
  }

  private static SchemaObject table(String name) {
    return new SchemaObject("table", name, "s." + name, true);
  }

  private static SchemaContent content(
      int version, boolean foreignHistory, SchemaObject... objects) {
    return new SchemaContent(
        "s", "role", true, true, false, version, foreignHistory, List.of(objects));
  }
}

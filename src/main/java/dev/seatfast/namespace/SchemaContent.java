package dev.seatfast.namespace;

import dev.seatfast.database.Parameters;
import dev.seatfast.database.SchemaCheck;
import dev.seatfast.database.Session;
import java.sql.SQLException;
import java.util.List;

/**
 * The content of the namespace's schema, from the server's catalogue: whether it belongs to this
 * program, and whether the role may change it.
 *
 * @param schema its name
 * @param role who looks
 * @param exists whether there is such a schema
 * @param mayCreate whether the role may make things in the schema, or the schema itself
 * @param tombstone whether it holds a tombstone of this program
 * @param version of the last migration of this program, 0 if there was none
 * @param foreignHistory whether another program has recorded its migrations there
 * @param objects tables, functions and all else that stands in the schema by itself
 */
record SchemaContent(
    String schema,
    String role,
    boolean exists,
    boolean mayCreate,
    boolean tombstone,
    int version,
    boolean foreignHistory,
    List<SchemaObject> objects) {

  /** As the history ends its name, with or without a folder before. */
  private static final String FIRST_MIGRATION = "V1__tables.sql";

  static SchemaContent read(Session session, String schema) throws SQLException {
    List<SchemaObject> objects = SchemaObject.listIn(session);
    boolean history = objects.stream().anyMatch(found -> found.name().equals(SchemaObject.HISTORY));
    History recorded = history ? history(session) : new History(0, false);
    return session.one(
        """
        SELECT current_user AS role, s.schema IS NOT NULL AS exists,
               CASE WHEN s.schema IS NULL
                    THEN has_database_privilege(current_database(), 'CREATE')
                    ELSE has_schema_privilege(s.schema, 'CREATE') END AS may_create,
               EXISTS (SELECT
                         FROM pg_attribute a
                        WHERE a.attrelid = to_regclass('{schema}.tombstone')
                          AND a.attname = 'deleted_by') AS tombstone
          FROM (SELECT to_regnamespace('{schema}')::oid AS schema) s
        """,
        Parameters.Binder.NONE,
        row ->
            new SchemaContent(
                schema,
                row.getString("role"),
                row.getBoolean("exists"),
                row.getBoolean("may_create"),
                row.getBoolean("tombstone"),
                recorded.version(),
                recorded.foreign(),
                objects));
  }

  private record History(int version, boolean foreign) {}

  private static History history(Session session) throws SQLException {
    return session.one(
        """
        SELECT coalesce(bool_or(h.script LIKE '%' || ?), false) AS ours, count(h.version) AS versions,
               max(h.version::integer) FILTER (WHERE h.success AND h.version ~ '^[0-9]{1,9}$') AS last
          FROM {schema}.flyway_schema_history h
        """,
        parameters -> parameters.add(FIRST_MIGRATION),
        row ->
            row.getBoolean("ours")
                ? new History(row.getInt("last"), false)
                : new History(0, row.getInt("versions") > 0));
  }

  /** The objects that no version up to this one has made. */
  List<SchemaObject> foreign() {
    return objects.stream().filter(found -> !found.isKnown()).toList();
  }

  /** The objects that a deletion drops. */
  List<SchemaObject> doomed() {
    return objects.stream().filter(found -> !found.name().equals(SchemaObject.TOMBSTONE)).toList();
  }

  /** Whether nothing in the schema is another program's. There may be nothing at all. */
  boolean isOursOrEmpty() {
    boolean started = has(SchemaObject.HISTORY) && !foreignHistory && foreign().isEmpty();
    return objects.isEmpty() || tombstone || started || version > 0 && hasPools();
  }

  /** Whether the tables are there that every version has. */
  boolean hasPools() {
    return has("seat_pool") && has("reservation_attempt");
  }

  private boolean has(String table) {
    return objects.stream().anyMatch(o -> o.kind().equals("table") && o.name().equals(table));
  }

  /**
   * Whether a newer version of this program has migrated it, whose objects this one cannot know.
   */
  boolean isNewer() {
    return version > SchemaCheck.VERSION;
  }

  /** The objects that the role may not drop or alter. */
  List<SchemaObject> notOwned() {
    return objects.stream().filter(found -> !found.owned()).toList();
  }

  /** Whether there is a tombstone and nothing beside it. */
  boolean isDeleted() {
    return tombstone && doomed().isEmpty();
  }

  /** Whether the role that looks owns the table in which migrations are recorded. */
  boolean ownsHistory() {
    return objects.stream()
        .anyMatch(found -> found.name().equals(SchemaObject.HISTORY) && found.owned());
  }

  /**
   * @param action what the role wanted to do with the namespace: "migrate"
   */
  String missingCreate(String action) {
    return "The role %s may not %s the namespace %s: it needs CREATE on the %s"
        .formatted(role, action, schema, exists ? "schema " + schema : "database");
  }

  /** Likewise, for want of owning some objects. */
  String notOwner(String action, List<SchemaObject> objects) {
    return "The role %s may not %s the namespace %s: it does not own %s"
        .formatted(role, action, schema, SchemaObject.examples(objects));
  }

  /** Names some of what keeps the schema from being ours. */
  String strangers() {
    return SchemaObject.examples(foreign().isEmpty() ? objects : foreign());
  }
}

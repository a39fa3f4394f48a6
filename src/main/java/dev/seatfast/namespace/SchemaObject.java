package dev.seatfast.namespace;

import dev.seatfast.database.Parameters;
import dev.seatfast.database.Session;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A table, a function or anything else that stands in the namespace's schema by itself.
 *
 * @param kind in PostgreSQL's words: "table"
 * @param inSql its name as SQL needs it, of a function with the types of its arguments
 * @param owned whether the role may alter and drop it
 */
record SchemaObject(String kind, String name, String inSql, boolean owned) {

  static final String HISTORY = "flyway_schema_history";
  static final String TOMBSTONE = "tombstone";

  /** As the migrations of this version name them; a test compares them with a migrated schema. */
  static final Set<String> TABLES =
      Set.of(
          HISTORY,
          TOMBSTONE,
          "api_token",
          "audit_entry",
          "event_position",
          "hold_group",
          "pool_event",
          "rejection_tally",
          "reservation_attempt",
          "seat_pool");

  static final Set<String> FUNCTIONS =
      Set.of(
          "change_hold",
          "expire_holds",
          "extended_end",
          "hold",
          "hold_group",
          "lock_pool",
          "position_events",
          "reserve",
          "reserve_one",
          "set_capacity",
          "set_opening",
          "settle",
          "settle_group",
          "settlement_outcome",
          "shut_reason",
          "tidy_pool");

  private static final int EXAMPLES_MAX = 3;

  /** Lists what is in the schema. What comes and goes with another object is left out. */
  static List<SchemaObject> listIn(Session session) throws SQLException {
    return session.list(
        """
        SELECT o.type AS kind, coalesce(c.relname, p.proname, o.name, o.in_sql) AS name,
               o.in_sql,
               coalesce(pg_has_role(coalesce(c.relowner, p.proowner), 'USAGE'), true) AS owned
          FROM pg_depend d
         CROSS JOIN LATERAL pg_identify_object(d.classid, d.objid, 0)
                 AS o (type, schema, name, in_sql)
          LEFT JOIN pg_class c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid
          LEFT JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
         WHERE d.refclassid = 'pg_namespace'::regclass
           AND d.refobjid = to_regnamespace('{schema}')
           AND d.deptype = 'n'
           AND NOT EXISTS (SELECT
                             FROM pg_depend w
                            WHERE w.classid = d.classid AND w.objid = d.objid
                              AND w.deptype IN ('a', 'i'))
         ORDER BY 1, 2
        """,
        Parameters.Binder.NONE,
        row ->
            new SchemaObject(
                row.getString("kind"),
                row.getString("name"),
                row.getString("in_sql"),
                row.getBoolean("owned")));
  }

  /** Names the first of some objects: "table a, view b and 7 more". */
  static String examples(List<SchemaObject> objects) {
    String named =
        objects.stream()
            .limit(EXAMPLES_MAX)
            .map(SchemaObject::toString)
            .collect(Collectors.joining(", "));
    int more = objects.size() - EXAMPLES_MAX;
    return more > 0 ? named + " and " + more + " more" : named;
  }

  /** Whether a version up to this one makes something of this name. */
  boolean isKnown() {
    return kind.equals("table") && TABLES.contains(name)
        || kind.equals("function") && FUNCTIONS.contains(name);
  }

  @Override
  public String toString() {
    return kind + " " + name;
  }
}

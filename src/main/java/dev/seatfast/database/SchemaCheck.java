package dev.seatfast.database;

import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Verifies that the schema is migrated to the version that this program needs. */
@Singleton
public class SchemaCheck {

  /**
   * The version of the last migration. A schema that is ahead of it serves this program too:
   * migrations only add what an older program can do without.
   */
  public static final int VERSION = 2;

  /**
   * Functions name their schema, so in a schema that was renamed, or restored under another name,
   * they work on another one. This matches a function that names the schema it is in.
   */
  private static final String NAMES_ITS_SCHEMA = "(^|[^a-z0-9_])%s\"?\\.\"?seat_pool";

  private final Maintenance maintenance;
  private final Namespace namespace;
  private final Tombstone tombstone;

  SchemaCheck(Maintenance maintenance, DatabaseConfig config, Tombstone tombstone) {
    this.maintenance = maintenance;
    this.namespace = config.namespace();
    this.tombstone = tombstone;
  }

  /** What the database says about the schema, and whether it takes writes now. */
  private record Found(int version, boolean namesItself, boolean readOnly) {

    static Found of(ResultSet row) throws SQLException {
      return new Found(
          row.getInt("version"), row.getBoolean("names_itself"), row.getBoolean("read_only"));
    }
  }

  /**
   * @return whether the server takes writes now
   * @throws SQLException if the database does not answer, or lets this role not look
   * @throws NamespaceDeletedException if the namespace is deleted
   * @throws NotMigratedException if the schema is not what this version needs
   */
  public boolean run() throws SQLException {
    Found found = look();
    if (found.version() < VERSION) {
      throw new NotMigratedException(
          "The namespace %s has schema version %d, but this program needs %d: migrate it first"
              .formatted(namespace.schema(), found.version(), VERSION));
    }
    if (!found.namesItself()) {
      throw new NotMigratedException(
          "The functions in the schema %s work on a schema of another name, as they do after it was"
                  .formatted(namespace.schema())
              + " renamed or restored under a new name: give it its old name back");
    }
    return !found.readOnly();
  }

  private Found look() throws SQLException {
    try {
      return maintenance.run(
          session ->
              session.one(
                  """
                  SELECT (SELECT max(h.version::integer)
                            FROM {schema}.flyway_schema_history h
                           WHERE h.success AND h.version ~ '^[0-9]+$') AS version,
                         (SELECT bool_and(p.prosrc ~ ?)
                            FROM pg_proc p
                           WHERE p.pronamespace = to_regnamespace('{schema}')
                             AND p.proname = 'reserve') AS names_itself,
                         (SELECT count(*) FROM (SELECT FROM {schema}.seat_pool LIMIT 0) AS n) AS n,
                         current_setting('transaction_read_only') = 'on' AS read_only
                  """,
                  parameters -> parameters.add(NAMES_ITS_SCHEMA.formatted(namespace.schema())),
                  Found::of));
    } catch (SQLException e) {
      if (!SqlStates.schemaMissing(e) || SqlStates.forbidden(e)) {
        throw e;
      }
    }
    if (tombstone.check()) {
      throw new NamespaceDeletedException(namespace.schema());
    }
    throw new NotMigratedException(
        "The namespace %s is not migrated: migrate it first".formatted(namespace.schema()));
  }
}

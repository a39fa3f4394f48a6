package dev.seatfast.namespace;

import dev.seatfast.database.DatabaseConfig;
import dev.seatfast.database.Maintenance;
import dev.seatfast.database.Parameters;
import dev.seatfast.database.RefusedException;
import dev.seatfast.database.Session;
import dev.seatfast.database.Tombstone;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * The end of a namespace: one transaction drops everything in its schema and leaves the tombstone.
 * A process that is stopped half way leaves the namespace as it was.
 *
 * <p>Other instances need not be told. A decision that commits before keeps its answer, and its row
 * is deleted with the others; one that comes later finds no table, whatever its version. No
 * migration brings the schema back: Flyway touches no schema that holds something it does not know,
 * ours look for the tombstone in each of their transactions, and roles other than superusers lose
 * the right to create anything in the schema.
 */
@Singleton
public class Deletion {

  private static final Logger LOG = Logger.getLogger(Deletion.class);

  private static final String SCRIPT = "db/delete.sql";

  /**
   * Objects that one statement drops.
   *
   * @param sql as the statement calls them
   * @param names as the catalogue calls them
   */
  private record Kind(String sql, Set<String> names) {}

  /** In this order, no object depends on one that is dropped before it. */
  private static final List<Kind> KINDS =
      List.of(
          new Kind("MATERIALIZED VIEW", Set.of("materialized view")),
          new Kind("VIEW", Set.of("view")),
          new Kind("ROUTINE", Set.of("function", "procedure", "aggregate")),
          new Kind("TABLE", Set.of("table")),
          new Kind("FOREIGN TABLE", Set.of("foreign table")),
          new Kind("SEQUENCE", Set.of("sequence")),
          new Kind("TYPE", Set.of("type")));

  private final Maintenance maintenance;
  private final String schema;
  private final Tombstone tombstone;
  private final String deletedBy;

  Deletion(
      Maintenance maintenance,
      DatabaseConfig config,
      Tombstone tombstone,
      NamespaceConfig namespaceConfig,
      @ConfigProperty(name = "quarkus.application.version") String version) {
    this.maintenance = maintenance;
    this.schema = config.namespace().schema();
    this.tombstone = tombstone;
    this.deletedBy = actor(namespaceConfig) + ", version " + version;
  }

  /** The tombstone is the last entry of the audit, whose table goes with the others. */
  private static String actor(NamespaceConfig config) {
    return config.migrate().filter(mode -> mode == MigrationMode.ONLY).isPresent()
        ? "command-line:" + System.getProperty("user.name")
        : "configuration";
  }

  /**
   * Deletes the namespace; one that is deleted stays as it is.
   *
   * @throws SQLException if the database does not let it, or does not answer
   * @throws RefusedException if the schema is not ours, or the role may not delete it
   */
  public void run() throws SQLException {
    tombstone.markDeleting();
    SchemaContent content = maintenance.run(this::read); // refuses before it locks anything
    if (content.isDeleted() && !content.notOwned().isEmpty()) {
      LOG.infof("The namespace %s is deleted already", schema);
    } else {
      refuseIfNotOurs(content);
      Migrator.COLLISIONS.run("Deleting the namespace", () -> maintenance.runLong(this::delete));
      warnIfStillOpen();
    }
    if (!tombstone.check()) {
      throw new SQLException("The tombstone of %s cannot be read".formatted(schema));
    }
  }

  private SchemaContent read(Session session) throws SQLException {
    return SchemaContent.read(session, schema);
  }

  private void refuseIfNotOurs(SchemaContent content) {
    if (!content.isOursOrEmpty() || !content.isNewer() && !content.foreign().isEmpty()) {
      throw new RefusedException(
          "The schema %s holds what is not Seatfast's (%s), so nothing was deleted"
              .formatted(schema, content.strangers()));
    }
    if (!content.notOwned().isEmpty()) {
      throw new RefusedException(content.notOwner("delete", content.notOwned()));
    }
    if (!content.tombstone() && !content.mayCreate()) {
      throw new RefusedException(content.missingCreate("delete"));
    }
  }

  private Void delete(Session session) throws SQLException {
    takeTurns(session);
    SchemaContent content = read(session);
    refuseIfNotOurs(content);
    if (content.hasPools()) {
      lockOut(session);
    }
    for (Kind kind : KINDS) {
      drop(session, kind, content.doomed());
    }
    LOG.infof("Closing the schema %s", schema);
    session.update(script(), Parameters.Binder.NONE);
    return null;
  }

  /** One after the other, and not while a migration runs; see beforeEachMigrate.sql. */
  private void takeTurns(Session session) throws SQLException {
    session.one(
        """
        SELECT set_config('lock_timeout', '5s', true),
               set_config('client_min_messages', 'notice', true),
               set_config('seatfast.deleted_by', ?, true),
               pg_advisory_xact_lock(hashtextextended('seatfast.' || ?, 0))::text
        """,
        parameters -> parameters.add(deletedBy).add(schema),
        row -> row.getString(1));
  }

  /**
   * Waits for the decisions under way, and keeps others out. Decisions begin with the attempts, so
   * that locking these first seldom ends in a deadlock.
   */
  private void lockOut(Session session) throws SQLException {
    LOG.infof("Waiting until no decision is under way in the namespace %s", schema);
    session.update(
        "LOCK TABLE {schema}.reservation_attempt, {schema}.seat_pool IN ACCESS EXCLUSIVE MODE",
        Parameters.Binder.NONE);
    LOG.infof(
        "The namespace %s holds %s",
        schema,
        session.one(
            // An estimate, because counting would keep others waiting for as long as it takes.
            """
            SELECT pg_size_pretty(sum(pg_total_relation_size(c.oid)))
                   || coalesce(max(format(', about %s attempts', c.reltuples::bigint))
                                   FILTER (WHERE c.relname = 'reservation_attempt'
                                             AND c.reltuples >= 0), '') AS content
              FROM pg_class c
             WHERE c.relnamespace = to_regnamespace('{schema}') AND c.relkind IN ('r', 'p')
            """,
            Parameters.Binder.NONE, row -> row.getString("content")));
  }

  /** Without CASCADE: what other programs have built on these objects refuses the deletion. */
  private void drop(Session session, Kind kind, List<SchemaObject> doomed) throws SQLException {
    List<SchemaObject> objects =
        doomed.stream().filter(found -> kind.names().contains(found.kind())).toList();
    if (!objects.isEmpty()) {
      LOG.infof("Dropping %s", objects);
      session.update(
          objects.stream()
              .map(SchemaObject::inSql)
              .collect(Collectors.joining(", ", "DROP " + kind.sql() + " ", "")),
          Parameters.Binder.NONE);
    }
  }

  private void warnIfStillOpen() throws SQLException {
    maintenance
        .run(
            session ->
                session.first(
                    """
                    SELECT format('the role %s can still create tables in the schema %s:'
                                  ' its owner %s, or a superuser, can revoke that',
                                  r.rolname, n.nspname, n.nspowner::regrole) AS warning
                      FROM pg_namespace n, pg_roles r
                     WHERE n.oid = to_regnamespace('{schema}') AND r.rolname = current_user
                       AND NOT r.rolsuper AND has_schema_privilege(n.oid, 'CREATE')
                    """,
                    Parameters.Binder.NONE, row -> row.getString("warning")))
        .ifPresent(warning -> LOG.warnf("The namespace is deleted, but %s", warning));
  }

  private static String script() {
    try (InputStream in = Deletion.class.getClassLoader().getResourceAsStream(SCRIPT)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

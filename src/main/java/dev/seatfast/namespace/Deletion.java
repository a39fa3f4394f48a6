package dev.seatfast.namespace;

import dev.seatfast.database.DatabaseConfig;
import dev.seatfast.database.Namespace;
import dev.seatfast.database.Tombstone;
import dev.seatfast.database.Transaction;
import io.agroal.api.AgroalDataSource;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * The end of a namespace: one transaction drops everything in its schema and leaves the tombstone.
 *
 * <p>Other instances need not know. A decision that commits before keeps its answer, and its row is
 * deleted with the others; one that comes later finds no table, whatever version it is of. Nor can
 * a migration bring the schema back: Flyway touches no schema that holds something it does not
 * know, ours look for the tombstone in each of their transactions, and roles other than superusers
 * lose the right to make anything in the schema.
 */
@Singleton
public class Deletion {

  private static final Logger LOG = Logger.getLogger(Deletion.class);

  private final AgroalDataSource dataSource;
  private final Namespace namespace;
  private final Tombstone tombstone;
  private final String version;

  Deletion(
      AgroalDataSource dataSource,
      DatabaseConfig config,
      Tombstone tombstone,
      @ConfigProperty(name = "quarkus.application.version") String version) {
    this.dataSource = dataSource;
    this.namespace = config.namespace();
    this.tombstone = tombstone;
    this.version = version;
  }

  /**
   * Deletes the namespace; one that is deleted stays as it is.
   *
   * @throws SQLException if it can't be done now, and nothing was changed
   */
  public void run() throws SQLException {
    tombstone.announce();
    Retries.run("Deleting the namespace", this::inOneTransaction);
    if (!tombstone.look()) {
      throw new SQLException("The tombstone of %s can't be read".formatted(namespace.schema()));
    }
  }

  private void inOneTransaction() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      String content =
          Transaction.run(
              connection,
              () -> {
                takeTurns(connection);
                boolean used =
                    isThere(connection, "reservation_attempt") && isThere(connection, "seat_pool");
                String counted = used ? count(connection) : "no reservations";
                dropAll(connection);
                erectTombstone(connection);
                closeSchema(connection);
                return counted;
              });
      LOG.infof("The namespace %s is deleted. It held %s.", namespace.schema(), content);
    }
  }

  /** One after the other, and not while a migration runs; see beforeEachMigrate.sql. */
  private void takeTurns(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            SELECT set_config('lock_timeout', '5s', true),
                   pg_advisory_xact_lock(hashtextextended('seatfast.' || ?, 0))
            """)) {
      statement.setString(1, namespace.schema());
      statement.execute();
    }
  }

  private boolean isThere(Connection connection, String table) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT to_regclass(?) IS NOT NULL")) {
      statement.setString(1, namespace.sql("{schema}." + table));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  /**
   * What there was, after whoever decides now has finished. Decisions begin with the attempts, so
   * that waiting for these first seldom ends in a deadlock.
   */
  private String count(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          namespace.sql(
              "LOCK TABLE {schema}.reservation_attempt, {schema}.seat_pool IN ACCESS EXCLUSIVE MODE"));
      try (ResultSet row =
          statement.executeQuery(
              namespace.sql(
                  """
                  SELECT count(*), coalesce(sum(confirmed_requests), 0), coalesce(sum(reserved), 0)
                    FROM {schema}.seat_pool
                  """))) {
        row.next();
        return "%d pools, %d confirmed requests and %d seats reserved"
            .formatted(row.getLong(1), row.getLong(2), row.getLong(3));
      }
    }
  }

  /** Found in the catalogue, because another version may have made other things than this one. */
  private void dropAll(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          namespace.sql(
              """
              DO $$
              DECLARE
                  v_command text;
              BEGIN
                  IF to_regnamespace('{schema}') IS NULL THEN
                      CREATE SCHEMA {schema};
                  END IF;
                  -- What depends on a table goes with it, so each look at the catalogue is fresh.
                  LOOP
                      SELECT coalesce(
                          (SELECT 'DROP '
                                  || CASE c.relkind
                                         WHEN 'v' THEN 'VIEW'
                                         WHEN 'm' THEN 'MATERIALIZED VIEW'
                                         WHEN 'S' THEN 'SEQUENCE'
                                         WHEN 'f' THEN 'FOREIGN TABLE'
                                         WHEN 'c' THEN 'TYPE'
                                         ELSE 'TABLE'
                                     END
                                  || ' ' || c.oid::regclass || ' CASCADE'
                             FROM pg_class c
                            WHERE c.relnamespace = to_regnamespace('{schema}')
                              AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f', 'c')
                              AND c.relname <> 'tombstone'
                            ORDER BY c.relname <> 'reservation_attempt', c.relkind, c.relname
                            LIMIT 1),
                          (SELECT 'DROP ROUTINE ' || p.oid::regprocedure || ' CASCADE'
                             FROM pg_proc p
                            WHERE p.pronamespace = to_regnamespace('{schema}')
                            LIMIT 1),
                          (SELECT 'DROP TYPE ' || t.oid::regtype || ' CASCADE'
                             FROM pg_type t
                            WHERE t.typnamespace = to_regnamespace('{schema}')
                              AND t.typtype IN ('d', 'e', 'r')
                            LIMIT 1))
                        INTO v_command;
                      EXIT WHEN v_command IS NULL;
                      EXECUTE v_command;
                  END LOOP;
              END
              $$
              """));
    }
  }

  private void erectTombstone(Connection connection) throws SQLException {
    if (isThere(connection, "tombstone")) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          namespace.sql(
              """
              CREATE TABLE {schema}.tombstone (
                  deleted_at timestamptz NOT NULL DEFAULT now(),
                  deleted_by text        NOT NULL
              )
              """));
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            namespace.sql("INSERT INTO {schema}.tombstone (deleted_by) VALUES (?)"))) {
      statement.setString(1, version);
      statement.executeUpdate();
    }
  }

  /**
   * Everybody who may look into the schema may read the tombstone; nobody changes it or makes
   * anything beside it, least of all its owner.
   */
  private void closeSchema(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          namespace.sql(
              """
              DO $$
              DECLARE
                  v_role text;
                  v_command text;
              BEGIN
                  -- What was granted on tables to come, none of which will.
                  FOR v_command IN
                      SELECT DISTINCT 'ALTER DEFAULT PRIVILEGES FOR ROLE ' || quote_ident(o.rolname)
                             || ' IN SCHEMA ' || n.oid::regnamespace || ' REVOKE ALL ON '
                             || CASE d.defaclobjtype
                                    WHEN 'r' THEN 'TABLES'
                                    WHEN 'S' THEN 'SEQUENCES'
                                    WHEN 'f' THEN 'ROUTINES'
                                    ELSE 'TYPES'
                                END
                             || ' FROM ' || coalesce(quote_ident(r.rolname), 'PUBLIC')
                        FROM pg_default_acl d
                        JOIN pg_namespace n ON n.oid = d.defaclnamespace
                        JOIN pg_roles o ON o.oid = d.defaclrole
                       CROSS JOIN LATERAL aclexplode(d.defaclacl) a
                        LEFT JOIN pg_roles r ON r.oid = a.grantee
                       WHERE n.oid = to_regnamespace('{schema}') AND pg_has_role(o.oid, 'USAGE')
                  LOOP
                      EXECUTE v_command;
                  END LOOP;
                  FOR v_role IN
                      SELECT DISTINCT coalesce(quote_ident(r.rolname), 'PUBLIC')
                        FROM (SELECT (aclexplode(n.nspacl)).grantee
                                FROM pg_namespace n WHERE n.oid = to_regnamespace('{schema}')
                               UNION SELECT (aclexplode(c.relacl)).grantee
                                FROM pg_class c WHERE c.oid = to_regclass('{schema}.tombstone')
                               UNION SELECT oid FROM pg_roles WHERE rolname = current_user) g
                        LEFT JOIN pg_roles r ON r.oid = g.grantee
                  LOOP
                      EXECUTE 'REVOKE ALL ON {schema}.tombstone FROM ' || v_role;
                      IF pg_has_role((SELECT nspowner FROM pg_namespace
                                       WHERE oid = to_regnamespace('{schema}')), 'USAGE') THEN
                          EXECUTE 'REVOKE CREATE ON SCHEMA {schema} FROM ' || v_role;
                      END IF;
                  END LOOP;
                  GRANT SELECT ON {schema}.tombstone TO PUBLIC;
              END
              $$
              """));
    }
  }
}

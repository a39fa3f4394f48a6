package dev.seatfast.namespace;

import dev.seatfast.database.DatabaseConfig;
import dev.seatfast.database.Namespace;
import dev.seatfast.database.NamespaceDeletedException;
import dev.seatfast.database.SqlStates;
import dev.seatfast.database.Tombstone;
import io.agroal.api.AgroalDataSource;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Whether somebody else has migrated the schema as this version needs it. */
@Singleton
class SchemaCheck {

  /**
   * Of the last migration. A schema that is ahead of it serves this version too: migrations only
   * ever add what an older one can do without.
   */
  static final int VERSION = 3;

  private final AgroalDataSource dataSource;
  private final Namespace namespace;
  private final Tombstone tombstone;

  SchemaCheck(AgroalDataSource dataSource, DatabaseConfig config, Tombstone tombstone) {
    this.dataSource = dataSource;
    this.namespace = config.namespace();
    this.tombstone = tombstone;
  }

  /**
   * @throws SQLException if the database does not answer
   * @throws NamespaceDeletedException if the namespace is no more
   * @throws NotMigratedException if it is not what this version needs
   */
  void run() throws SQLException {
    int version = version();
    if (version < VERSION) {
      throw new NotMigratedException(
          "The namespace %s has schema version %d, but this program needs %d: migrate it first"
              .formatted(namespace.schema(), version, VERSION));
    }
  }

  private int version() throws SQLException {
    String sql =
        namespace.sql(
            """
            SELECT max(version::integer)
              FROM {schema}.flyway_schema_history
             WHERE success AND version ~ '^[0-9]+$'
            """);
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getInt(1);
    } catch (SQLException e) {
      if (!SqlStates.schemaMissing(e)) {
        throw e;
      }
    }
    if (tombstone.look()) {
      throw new NamespaceDeletedException(namespace.schema());
    }
    throw new NotMigratedException(
        "The namespace %s is not migrated, or not for this user: migrate it first"
            .formatted(namespace.schema()));
  }
}

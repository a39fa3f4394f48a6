package dev.seatfast.namespace;

import dev.seatfast.database.DatabaseConfig;
import dev.seatfast.database.Maintenance;
import dev.seatfast.database.NamespaceDeletedException;
import dev.seatfast.database.Parameters;
import dev.seatfast.database.RefusedException;
import dev.seatfast.database.SchemaCheck;
import dev.seatfast.database.ServerCheck;
import dev.seatfast.database.Tombstone;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** Migrates the namespace, unless it is deleted, another program's, or not ours to change. */
@Singleton
class Migration {

  private final String schema;
  private final Flyway flyway;
  private final Maintenance maintenance;
  private final ServerCheck serverCheck;
  private final Tombstone tombstone;

  Migration(
      DatabaseConfig config,
      Flyway flyway,
      Maintenance maintenance,
      ServerCheck serverCheck,
      Tombstone tombstone) {
    this.schema = config.namespace().schema();
    this.flyway = flyway;
    this.maintenance = maintenance;
    this.serverCheck = serverCheck;
    this.tombstone = tombstone;
  }

  /**
   * Migrates; a schema that is up to date is left as it is.
   *
   * @throws SQLException if the database does not let it, or does not answer
   * @throws NamespaceDeletedException if the namespace is deleted
   * @throws RefusedException if the database, the schema or the role does not fit
   * @throws FlywayException if the schema cannot be migrated
   */
  void run() throws SQLException {
    refuseIfDeleted();
    serverCheck.run();
    SchemaContent content = maintenance.run(session -> SchemaContent.read(session, schema));
    refuseWhatDoesNotFit(content);
    try {
      int migrations = new Migrator(flyway).run();
      if (migrations > 0 || content.ownsHistory()) {
        awaitStandby();
      }
    } catch (SQLException | FlywayException e) {
      refuseIfDeleted(); // by another process, since the first look
      throw e;
    }
  }

  private void refuseIfDeleted() {
    if (tombstone.check()) {
      throw new NamespaceDeletedException(schema);
    }
  }

  private static void refuseWhatDoesNotFit(SchemaContent content) {
    if (!content.isOursOrEmpty()) {
      throw new RefusedException(
          "The schema %s holds what is not Seatfast's (%s): set seatfast.namespace to another name"
              .formatted(content.schema(), content.strangers()));
    }
    if (content.version() >= SchemaCheck.VERSION) {
      return;
    }
    if (!content.mayCreate()) {
      throw new RefusedException(content.missingCreate("migrate"));
    }
    if (!content.notOwned().isEmpty()) {
      throw new RefusedException(content.notOwner("migrate", content.notOwned()));
    }
  }

  /**
   * Commits one more write, which changes nothing. Flyway does not notice when the wait for a
   * synchronous standby is cancelled; once this commit has got there, so have the migrations.
   */
  private void awaitStandby() throws SQLException {
    maintenance.run(
        session ->
            session.update(
                "UPDATE {schema}.flyway_schema_history SET success = success WHERE version = '1'",
                Parameters.Binder.NONE));
  }
}

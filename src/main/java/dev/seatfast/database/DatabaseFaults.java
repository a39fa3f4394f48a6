package dev.seatfast.database;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.AgroalDataSource.FlushMode;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import org.jboss.logging.Logger;

/** Translates the database's faults into the exceptions that {@link Database} documents. */
@Singleton
class DatabaseFaults {

  private static final Logger LOG = Logger.getLogger(DatabaseFaults.class);

  private final AgroalDataSource dataSource;
  private final DatabaseConfig config;
  private final Tombstone tombstone;

  DatabaseFaults(AgroalDataSource dataSource, DatabaseConfig config, Tombstone tombstone) {
    this.dataSource = dataSource;
    this.config = config;
    this.tombstone = tombstone;
  }

  /**
   * Returns the exception to throw instead, and logs what operators must know. The caller has given
   * the connection back before.
   */
  RuntimeException translate(SQLException e) {
    if (SqlStates.connectionLost(e)) {
      dataSource.flush(FlushMode.IDLE); // each of the idle ones would fail another request
    }
    if (SqlStates.schemaChanged(e) && tombstone.check()) {
      return new NamespaceDeletedException(config.namespace().schema());
    }
    if (SqlStates.schemaMissing(e)) {
      LOG.warnf(
          "The namespace %s is not migrated, or not for this user: %s",
          config.namespace().schema(), SqlStates.firstLine(e));
      return new UnavailableException(
          UnavailableException.Reason.DATABASE, "The namespace is not migrated", e);
    }
    if (SqlStates.undone(e)) {
      LOG.warnf(
          "The database undid a transaction (%s): %s", e.getSQLState(), SqlStates.firstLine(e));
      return new UnavailableException(
          UnavailableException.Reason.UNDONE, "The database undid the transaction", e);
    }
    if (SqlStates.unavailable(e)) {
      LOG.warnf("No answer from the database (%s): %s", e.getSQLState(), SqlStates.firstLine(e));
      return new UnavailableException(
          UnavailableException.Reason.DATABASE, "No answer from the database", e);
    }
    return new RolledBackException(e);
  }
}

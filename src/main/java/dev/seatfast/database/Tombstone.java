package dev.seatfast.database;

import io.agroal.api.AgroalDataSource;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jboss.logging.Logger;

/**
 * What this process knows of the namespace's deletion. A process finds out by itself: the tables
 * are gone, so its next statement fails and it looks for the tombstone. A tombstone that was found
 * once stays.
 */
@Singleton
public class Tombstone {

  private static final Logger LOG = Logger.getLogger(Tombstone.class);

  private final AgroalDataSource dataSource;
  private final DatabaseConfig config;
  private volatile boolean deleting;
  private volatile boolean deleted;

  Tombstone(AgroalDataSource dataSource, DatabaseConfig config) {
    this.dataSource = dataSource;
    this.config = config;
  }

  /** Stops this process from making decisions, because it is about to delete the namespace. */
  public void markDeleting() {
    deleting = true;
  }

  /** Whether the namespace is deleted, or about to be. */
  public boolean isDeleting() {
    return deleting;
  }

  /** Whether this process has seen the tombstone in the database. */
  public boolean isDeleted() {
    return deleted;
  }

  /**
   * Looks for the tombstone in the database, unless this process has seen it before.
   *
   * @return whether the namespace is deleted; false also if the database cannot be asked now
   */
  public boolean check() {
    if (deleted) {
      return true;
    }
    String sql = config.namespace().sql("SELECT deleted_at, deleted_by FROM {schema}.tombstone");
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      if (row.next()) {
        markDeleted(row.getString("deleted_at"), row.getString("deleted_by"));
      }
    } catch (SQLException e) {
      LOG.debugf("Found no tombstone: %s", e.getMessage());
    }
    return deleted;
  }

  private synchronized void markDeleted(String when, String who) {
    if (!deleted) {
      LOG.infof("The namespace %s was deleted at %s by %s", config.namespace().schema(), when, who);
    }
    deleting = true;
    deleted = true;
  }
}

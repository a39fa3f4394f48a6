package dev.seatfast.database;

import io.agroal.api.AgroalDataSource;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jboss.logging.Logger;

/**
 * What this process knows of the namespace's end. Nobody has to be told: the tables are gone, so
 * that the next statement fails, and what was found once can't change any more.
 */
@Singleton
public class Tombstone {

  private static final Logger LOG = Logger.getLogger(Tombstone.class);

  private final AgroalDataSource dataSource;
  private final DatabaseConfig config;
  private volatile boolean announced;
  private volatile boolean found;

  Tombstone(AgroalDataSource dataSource, DatabaseConfig config) {
    this.dataSource = dataSource;
    this.config = config;
  }

  /** From now on nothing is decided here, because the namespace is about to be deleted. */
  public void announce() {
    announced = true;
  }

  /** Whether the namespace is deleted, or about to be. */
  public boolean announced() {
    return announced;
  }

  /** Whether the tombstone was seen in the database. */
  public boolean found() {
    return found;
  }

  /**
   * Looks for it in the database.
   *
   * @return false also if the database can't be asked now
   */
  public boolean look() {
    if (found) {
      return true;
    }
    String sql = config.namespace().sql("SELECT deleted_at, deleted_by FROM {schema}.tombstone");
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      if (row.next()) {
        found(row.getString("deleted_at"), row.getString("deleted_by"));
      }
    } catch (SQLException e) {
      LOG.debugf("No tombstone to be seen: %s", e.getMessage());
    }
    return found;
  }

  private synchronized void found(String when, String version) {
    if (!found) {
      LOG.infof(
          "The namespace %s was deleted at %s by version %s",
          config.namespace().schema(), when, version);
    }
    announced = true;
    found = true;
  }
}

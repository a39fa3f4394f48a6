package dev.holdfast.support;

import dev.holdfast.platform.EmbeddedDatabase;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** The embedded PostgreSQL that all tests in one process share, as durable as the real one. */
public class TestDatabase implements QuarkusTestResourceLifecycleManager {

  private EmbeddedDatabase database;

  @Override
  public Map<String, String> start() {
    database = EmbeddedDatabase.start(Path.of("target", "postgres-of-tests"), 0);
    try {
      forgetEarlierRuns();
      return Map.of(
          "quarkus.datasource.jdbc.url", database.jdbcUrl(),
          "quarkus.datasource.username", database.user(),
          "quarkus.datasource.password", database.password());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void forgetEarlierRuns() throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        Statement statement = connection.createStatement()) {
      statement.execute("DROP SCHEMA IF EXISTS holdfast CASCADE");
    }
  }

  @Override
  public void stop() {
    if (database != null) {
      database.close();
    }
  }
}

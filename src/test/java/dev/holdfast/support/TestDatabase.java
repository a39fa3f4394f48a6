package dev.holdfast.support;

import dev.holdfast.platform.EmbeddedDatabase;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** The embedded PostgreSQL that all tests in one process share, as durable as the real one. */
public class TestDatabase implements QuarkusTestResourceLifecycleManager {

  private EmbeddedDatabase database;

  @Override
  public Map<String, String> start() {
    database = EmbeddedDatabase.start(Path.of("target", "postgres-of-tests"), 0);
    try {
      return Map.of(
          "quarkus.datasource.jdbc.url", database.jdbcUrl(),
          "quarkus.datasource.username", database.user(),
          "quarkus.datasource.password", database.password());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void stop() {
    if (database != null) {
      database.close();
    }
  }
}

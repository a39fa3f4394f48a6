package dev.seatfast.support;

import dev.seatfast.embedded.EmbeddedDatabase;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The embedded PostgreSQL that all tests in one process share, as durable as the real one. With the
 * system property {@code pgbouncer}, {@code plain} or {@code tracking}, the service reaches it
 * through a PgBouncer.
 */
public class TestDatabase implements QuarkusTestResourceLifecycleManager {

  private EmbeddedDatabase database;
  private Optional<PgBouncer> pooler = Optional.empty();

  @Override
  public Map<String, String> start() {
    database = EmbeddedDatabase.start(Path.of("target", "postgres-of-tests"), 0);
    try {
      new DatabaseOwner(database).execute("DROP SCHEMA IF EXISTS seatfast CASCADE"); // of last time
      pooler = pooler();
    } catch (SQLException | IOException e) {
      throw new IllegalStateException(e);
    }
    return Map.of(
        "quarkus.datasource.jdbc.url", pooler.map(PgBouncer::jdbcUrl).orElseGet(database::jdbcUrl),
        "quarkus.datasource.username", database.user(),
        "quarkus.datasource.password", database.password());
  }

  private Optional<PgBouncer> pooler() throws IOException {
    String wanted = System.getProperty("pgbouncer", "");
    if (wanted.isEmpty()) {
      return Optional.empty();
    }
    PgBouncer.Statements statements = PgBouncer.Statements.valueOf(wanted.toUpperCase(Locale.ROOT));
    PgBouncer.whyNot(statements)
        .ifPresent(
            reason -> {
              throw new IllegalStateException(reason);
            });
    return Optional.of(PgBouncer.before(database, statements));
  }

  @Override
  public void stop() {
    pooler.ifPresent(PgBouncer::close);
    if (database != null) {
      database.close();
    }
  }
}

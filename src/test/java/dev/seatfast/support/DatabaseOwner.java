package dev.seatfast.support;

import dev.seatfast.embedded.EmbeddedDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.Flyway;

/** What a database's owner sees and does, past the service that uses it. */
public record DatabaseOwner(EmbeddedDatabase database) {

  private static final String OURS = "application_name = 'seatfast'";

  /** The port of a database on this machine. */
  public static int port(EmbeddedDatabase database) {
    return Integer.parseInt(database.jdbcUrl().replaceAll(".*:(\\d+)/.*", "$1"));
  }

  /**
   * The environment of a service that uses the database.
   *
   * @param more names and values, which win
   */
  public Map<String, String> settings(String... more) {
    Map<String, String> settings = new HashMap<>();
    settings.put("QUARKUS_DATASOURCE_JDBC_URL", database.jdbcUrl());
    settings.put("QUARKUS_DATASOURCE_USERNAME", database.user());
    settings.put("QUARKUS_DATASOURCE_PASSWORD", database.password());
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return settings;
  }

  /** Makes the namespace {@code seatfast}, without the long start of a process. */
  public void migrate() {
    migrate("seatfast");
  }

  /** Makes a namespace, likewise. */
  public void migrate(String namespace) {
    Flyway.configure()
        .dataSource(database.jdbcUrl(), database.user(), database.password())
        .defaultSchema(namespace)
        .schemas(namespace)
        .load()
        .migrate();
  }

  /** A session of the owner's. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
  }

  /** Each statement in a transaction of its own. */
  public void execute(String... statements) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** The first column of the first row. */
  public String ask(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  /** How many sessions the instances of the service have. */
  public int sessions() throws SQLException {
    return Integer.parseInt(ask("SELECT count(*) FROM pg_stat_activity WHERE " + OURS));
  }

  /** Ends them. */
  public void endSessions() throws SQLException {
    execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE " + OURS);
  }

  /** Where the server keeps its data. */
  public Path data() throws SQLException {
    return Path.of(ask("SHOW data_directory"));
  }

  /** {@code kill -9} of a server and all its processes; an embedded one starts again at once. */
  public static void kill(Path data) throws IOException {
    long pid = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
    ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
    List<ProcessHandle> sessions = postmaster.descendants().toList();
    postmaster.destroyForcibly();
    sessions.forEach(ProcessHandle::destroyForcibly);
  }
}

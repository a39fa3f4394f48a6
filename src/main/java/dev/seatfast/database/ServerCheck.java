package dev.seatfast.database;

import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Compares the server's settings with what this program needs, in one query. The program cannot set
 * them itself: behind a connection pooler it has no session of its own to set them in.
 */
@Singleton
public class ServerCheck {

  private static final Logger LOG = Logger.getLogger(ServerCheck.class);

  private final Maintenance maintenance;
  private final int connectionsMax;

  ServerCheck(
      Maintenance maintenance,
      @ConfigProperty(name = "quarkus.datasource.jdbc.max-size") int connectionsMax) {
    this.maintenance = maintenance;
    this.connectionsMax = connectionsMax;
  }

  /**
   * Warns of unwise settings.
   *
   * @throws SQLException if the database does not answer
   * @throws RefusedException if a setting would break a promise
   */
  public void run() throws SQLException {
    ServerSettings settings = maintenance.run(ServerCheck::read);
    List<String> faults = settings.faults();
    if (!faults.isEmpty()) {
      throw new RefusedException(faults.get(0));
    }
    settings.warnings(connectionsMax).forEach(LOG::warn);
  }

  private static ServerSettings read(Session session) throws SQLException {
    Map<String, String> values = new HashMap<>();
    session.list(
        """
        SELECT s.name, current_setting(s.name, true) AS value FROM unnest(?::text[]) AS s (name)
         UNION ALL
        SELECT ?, (SELECT n.name
                     FROM unnest(current_schemas(true)) WITH ORDINALITY AS n (name, ordinal)
                    WHERE n.name NOT LIKE 'pg_temp%'
                    ORDER BY n.ordinal
                    LIMIT 1)
         UNION ALL
        SELECT ?, least(nullif(r.rolconnlimit, -1), nullif(d.datconnlimit, -1))::text
          FROM pg_roles r, pg_database d
         WHERE r.rolname = current_user AND NOT r.rolsuper AND d.datname = current_database()
        """,
        parameters ->
            parameters
                .addTexts(ServerSettings.names())
                .add(ServerSettings.FIRST_SCHEMA)
                .add(ServerSettings.CONNECTION_LIMIT),
        row -> values.put(row.getString("name"), row.getString("value")));
    values.values().removeIf(Objects::isNull);
    return new ServerSettings(values);
  }
}

package dev.holdfast.engine;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.AgroalDataSource.FlushMode;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Runs one statement as one transaction, with a limit on its time, and turns its faults into what
 * callers must know.
 */
@Singleton
public class Database {

  private static final Logger LOG = Logger.getLogger(Database.class);

  /** A race is lost rarely, and twice in a row hardly ever. */
  private static final int ATTEMPTS_MAX = 4;

  private static final int RETRY_PAUSE_MS_MAX = 20;

  private final AgroalDataSource dataSource;
  private final EngineConfig config;
  private final Tombstone tombstone;
  private volatile long lastAnswerNanos = System.nanoTime() - TimeUnit.DAYS.toNanos(1);

  Database(AgroalDataSource dataSource, EngineConfig config, Tombstone tombstone) {
    this.dataSource = dataSource;
    this.config = config;
    this.tombstone = tombstone;
  }

  /** What to do with a prepared statement. */
  @FunctionalInterface
  interface Work<T> {
    T run(Connection connection, PreparedStatement statement) throws SQLException;
  }

  /**
   * Runs one statement in a transaction of its own, which is committed when this returns. If the
   * server undid it because of a race it runs again, a bounded number of times.
   *
   * @param template SQL with {@code %s} for the schema
   * @throws UnavailableException if the answer is not to be had, or may have got lost
   * @throws RolledBackException if the server refused the statement and changed nothing
   * @throws NamespaceDeletedException if there is nothing left to decide
   */
  <T> T inOneStatement(String template, Work<T> work) {
    return withConnection(connection -> new Session(connection).run(template, work));
  }

  /**
   * Runs several statements in one transaction, which is committed when this returns, or rolled
   * back if the work says so or throws. Otherwise like {@link #inOneStatement}.
   */
  <T> T inOneTransaction(TransactionWork<T> work) {
    return withConnection(
        connection ->
            Transaction.run(
                connection,
                () -> {
                  Session session = new Session(connection);
                  T result = work.run(session);
                  if (session.rollback) {
                    connection.rollback(); // and then commits nothing
                  }
                  return result;
                }));
  }

  /** The statements of one transaction. */
  final class Session {

    private final Connection connection;
    private boolean rollback;

    private Session(Connection connection) {
      this.connection = connection;
    }

    /**
     * @param template SQL with {@code %s} for the schema
     */
    <T> T run(String template, Work<T> work) throws SQLException {
      String sql = config.namespace().sql(template);
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setQueryTimeout(Math.toIntExact(config.statementTimeMax().toSeconds()));
        return work.run(connection, statement);
      }
    }

    /** Undoes everything when the work is over. */
    void rollBack() {
      rollback = true;
    }
  }

  /** What to do in a transaction. */
  @FunctionalInterface
  interface TransactionWork<T> {
    T run(Session session) throws SQLException;
  }

  @FunctionalInterface
  private interface ConnectionWork<T> {
    T run(Connection connection) throws SQLException;
  }

  private <T> T withConnection(ConnectionWork<T> work) {
    if (tombstone.announced()) {
      throw new NamespaceDeletedException(config.namespace().schema());
    }
    for (int attempt = 1; ; attempt++) {
      try (Connection connection = dataSource.getConnection()) {
        T result = work.run(connection);
        lastAnswerNanos = System.nanoTime();
        return result;
      } catch (SQLException e) {
        if (attempt == ATTEMPTS_MAX || !SqlStates.rolledBackTryAgain(e)) {
          throw translated(e);
        }
        pause();
      }
    }
  }

  /**
   * Asks whether decisions can be made: the namespace is there, and the database takes writes.
   *
   * @throws UnavailableException if not
   * @throws NamespaceDeletedException if there is nothing left to read
   */
  public void ping() {
    inOneStatement(
        // The function is the last thing that a migration makes.
        """
        SELECT current_setting('transaction_read_only'), '%s.settle'::regproc,
               (SELECT count(*) FROM (SELECT 1 FROM %s.seat_pool LIMIT 0) AS nothing)
        """,
        (connection, statement) -> {
          try (ResultSet row = statement.executeQuery()) {
            row.next();
            if (row.getString(1).equals("on")) {
              throw new SQLException("It takes no writes", SqlStates.READ_ONLY);
            }
            return null;
          }
        });
  }

  /** How long ago the database last answered a statement. */
  public long millisSinceLastAnswer() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastAnswerNanos);
  }

  private RuntimeException translated(SQLException e) {
    if (SqlStates.connectionLost(e)) {
      dataSource.flush(FlushMode.IDLE); // or each of them would fail somebody
    }
    if (SqlStates.schemaChanged(e) && tombstone.look()) {
      return new NamespaceDeletedException(config.namespace().schema());
    }
    if (SqlStates.schemaMissing(e)) {
      LOG.warnf(
          "The namespace %s is not migrated, or not for this user: %s",
          config.namespace().schema(), firstLine(e));
      return new UnavailableException(
          UnavailableException.Reason.DATABASE, "The namespace is not migrated", e);
    }
    if (SqlStates.unavailable(e)) {
      LOG.warnf("No answer from the database (%s): %s", e.getSQLState(), firstLine(e));
      return new UnavailableException(
          UnavailableException.Reason.DATABASE, "No answer from the database", e);
    }
    return new RolledBackException(e);
  }

  /** The rest only says where, and could be long. */
  private static String firstLine(SQLException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(1, RETRY_PAUSE_MS_MAX));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.seatfast.database;

import io.agroal.api.AgroalDataSource;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;

/**
 * Runs statements that are no decisions: those that check, migrate and delete the namespace. Unlike
 * {@link Database} it works in a deleted namespace, tries nothing twice and leaves the database's
 * faults as they are, because its callers tell operators what to do about them.
 */
@Singleton
public class Maintenance {

  private static final Logger LOG = Logger.getLogger(Maintenance.class);

  /** A limit all the same: dropping very large tables takes minutes. */
  private static final Duration LONG_ANSWER_MAX = Duration.ofHours(1);

  private static final Duration IDLE_IN_TRANSACTION_MAX = Duration.ofMinutes(1);

  private static final Executor SAME_THREAD = Runnable::run;

  private final AgroalDataSource dataSource;
  private final DatabaseConfig config;

  Maintenance(AgroalDataSource dataSource, DatabaseConfig config) {
    this.dataSource = dataSource;
    this.config = config;
  }

  /** Runs statements, each a transaction of its own that takes no longer than a decision may. */
  public <T> T run(Database.Work<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return work.run(session(connection, config.statementTimeMax()));
    }
  }

  /**
   * Runs statements in one transaction. Each may take an hour, whatever the limits for decisions
   * are, so locks that are waited for need a limit of their own. The server ends the transaction if
   * it hears nothing of it for a minute.
   */
  public <T> T runLong(Database.Work<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      int answerMillisMax = connection.getNetworkTimeout();
      connection.setNetworkTimeout(SAME_THREAD, Math.toIntExact(LONG_ANSWER_MAX.toMillis()));
      try {
        return Transaction.run(
            connection,
            () -> {
              Session session = session(connection, Duration.ZERO);
              session.update(
                  "SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE",
                  Parameters.Binder.NONE);
              session.limitIdleTime(IDLE_IN_TRANSACTION_MAX);
              return work.run(session);
            });
      } finally {
        restore(connection, answerMillisMax);
      }
    }
  }

  private static void restore(Connection connection, int answerMillisMax) {
    try {
      connection.setNetworkTimeout(SAME_THREAD, answerMillisMax);
    } catch (SQLException e) {
      LOG.debugf("The connection is lost: %s", e.getMessage());
    }
  }

  private Session session(Connection connection, Duration statementTimeMax) {
    return new Session(
        connection, config.namespace()::sql, Math.toIntExact(statementTimeMax.toSeconds()));
  }
}

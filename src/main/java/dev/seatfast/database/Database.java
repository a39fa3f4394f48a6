package dev.seatfast.database;

import io.agroal.api.AgroalDataSource;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Runs statements in transactions, with a limit on their time. Every method commits before it
 * returns, runs again a bounded number of times if the server undid the transaction because of a
 * race, and throws
 *
 * <ul>
 *   <li>{@link UnavailableException} if there is no answer, or the outcome is unknown;
 *   <li>{@link RolledBackException} if the server refused a statement and changed nothing;
 *   <li>{@link NamespaceDeletedException} if the namespace is deleted.
 * </ul>
 */
@Singleton
public class Database {

  /** Losing a race is rare, and losing it twice in a row is much rarer. */
  private static final int ATTEMPTS_MAX = 4;

  private static final int RETRY_PAUSE_MS_MAX = 20;

  private final AgroalDataSource dataSource;
  private final DatabaseConfig config;
  private final DatabaseFaults faults;
  private final Tombstone tombstone;

  /** The statements with the schema filled in. Every statement is a constant, so they are few. */
  private final Map<String, String> statements = new ConcurrentHashMap<>();

  private volatile long lastWriteNanos = System.nanoTime() - TimeUnit.DAYS.toNanos(1);

  Database(
      AgroalDataSource dataSource,
      DatabaseConfig config,
      DatabaseFaults faults,
      Tombstone tombstone) {
    this.dataSource = dataSource;
    this.config = config;
    this.faults = faults;
    this.tombstone = tombstone;
  }

  /** Several statements that are committed together. */
  @FunctionalInterface
  public interface Work<T> {
    T run(Session session) throws SQLException;
  }

  /** Like {@link Session#list}, in a transaction of its own. */
  public <T> List<T> list(String sql, Parameters.Binder bind, RowMapper<T> map) {
    return inSession(session -> session.list(sql, bind, map));
  }

  /** Like {@link Session#first}, in a transaction of its own. */
  public <T> Optional<T> first(String sql, Parameters.Binder bind, RowMapper<T> map) {
    return inSession(session -> session.first(sql, bind, map));
  }

  /** Like {@link Session#one}, in a transaction of its own. */
  public <T> T one(String sql, Parameters.Binder bind, RowMapper<T> map) {
    return inSession(session -> session.one(sql, bind, map));
  }

  /** Like {@link Session#update}, in a transaction of its own. */
  public int update(String sql, Parameters.Binder bind) {
    return inSession(session -> session.update(sql, bind));
  }

  /** Runs several statements in one transaction, which {@link Session#rollBack} undoes. */
  public <T> T inTransaction(Work<T> work) {
    return withConnection(
        connection ->
            Transaction.run(
                connection,
                () -> {
                  Session session = session(connection);
                  T result = work.run(session);
                  if (session.rollsBack()) {
                    connection.rollback(); // the commit that follows has nothing to commit
                  }
                  return result;
                }));
  }

  /** Records that a write was committed just now, which readiness takes for a sign of life. */
  public void wrote() {
    lastWriteNanos = System.nanoTime();
  }

  /** Returns how long ago the last write was committed that {@link #wrote} told of. */
  long millisSinceLastWrite() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastWriteNanos);
  }

  private <T> T inSession(Work<T> work) {
    return withConnection(connection -> work.run(session(connection)));
  }

  private Session session(Connection connection) {
    return new Session(
        connection,
        sql -> statements.computeIfAbsent(sql, config.namespace()::sql),
        Math.toIntExact(config.statementTimeMax().toSeconds()));
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
        return work.run(connection);
      } catch (SQLException e) {
        if (attempt == ATTEMPTS_MAX || !SqlStates.rolledBackTryAgain(e)) {
          throw faults.translate(e);
        }
        Pauses.upTo(RETRY_PAUSE_MS_MAX);
      }
    }
  }
}

package dev.seatfast.database;

import io.agroal.api.AgroalDataSource;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

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
  private static final Retries RACES =
      new Retries(4, Duration.ofMillis(20), SqlStates::rolledBackTryAgain, Logger.Level.DEBUG);

  /** Long enough for a pause of this process, and short for those who wait for a pool. */
  private static final Duration IDLE_IN_TRANSACTION_MAX = Duration.ofSeconds(10);

  private static final Duration LONG_AGO = Duration.ofDays(1);

  private final AgroalDataSource dataSource;
  private final DatabaseConfig config;
  private final DatabaseFaults faults;
  private final Tombstone tombstone;

  /** The statements with the schema filled in. Every statement is a constant, so they are few. */
  private final Map<String, String> statements = new ConcurrentHashMap<>();

  private volatile long lastWriteNanos = System.nanoTime() - LONG_AGO.toNanos();

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

  /** See {@link Session#listReleasingEarly}. */
  public <T> List<T> listReleasingEarly(String sql, Parameters.Binder bind, RowMapper<T> map) {
    return inSession(session -> session.listReleasingEarly(sql, bind, map));
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

  /** Returns once all that was committed before is safe from a crash of the database. */
  public void awaitFlush() {
    list(Session.AWAIT_FLUSH, Parameters.Binder.NONE, row -> null);
  }

  /**
   * Runs several statements in one transaction, which {@link Session#rollBack} undoes. Should this
   * process vanish half way, the server undoes it 10 seconds later.
   */
  public <T> T inTransaction(Work<T> work) {
    return inTransaction(session -> {}, work);
  }

  /** Reads in one transaction, all of it as it was at its first statement. */
  public <T> T inSnapshot(Work<T> work) {
    return inTransaction(
        session ->
            session.update(
                "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
                Parameters.Binder.NONE),
        work);
  }

  /** What a transaction must be told before its first statement. */
  @FunctionalInterface
  private interface Mode {
    void set(Session session) throws SQLException;
  }

  private <T> T inTransaction(Mode mode, Work<T> work) {
    return withConnection(
        connection ->
            Transaction.run(
                connection,
                () -> {
                  Session session = session(connection);
                  mode.set(session);
                  session.limitIdleTime(IDLE_IN_TRANSACTION_MAX);
                  T result = work.run(session);
                  if (session.rollsBack()) {
                    connection.rollback(); // the commit that follows has nothing to commit
                  }
                  return result;
                }));
  }

  /**
   * Records that a write was committed just now, which readiness takes for a sign of life. Reads
   * and replays are none: a server that takes no writes answers them as well.
   */
  public void wrote() {
    lastWriteNanos = System.nanoTime();
  }

  /** Whether {@link #wrote} was called less than so long ago, and every write succeeded since. */
  boolean wroteWithin(Duration age) {
    return System.nanoTime() - lastWriteNanos < age.toNanos();
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
    if (tombstone.isDeleting()) {
      throw new NamespaceDeletedException(config.namespace().schema());
    }
    try {
      return RACES.run(
          "Running a transaction",
          () -> {
            try (Connection connection = dataSource.getConnection()) {
              return work.run(connection);
            }
          });
    } catch (SQLException e) {
      if (SqlStates.readOnly(e)) {
        lastWriteNanos = System.nanoTime() - LONG_AGO.toNanos();
      }
      throw faults.translate(e);
    }
  }
}

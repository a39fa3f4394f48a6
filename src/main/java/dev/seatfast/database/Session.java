package dev.seatfast.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Runs statements on one connection: each is SQL with {@code {schema}} for the namespace's schema,
 * what to bind, and how to map a row.
 */
public final class Session {

  /** Writes to the log, so that the commit waits until all that was written before is flushed. */
  static final String AWAIT_FLUSH = "SELECT pg_logical_emit_message(true, 'seatfast', '')";

  private final Connection connection;
  private final UnaryOperator<String> inSchema;
  private final int secondsMax;
  private boolean rollback;

  Session(Connection connection, UnaryOperator<String> inSchema, int secondsMax) {
    this.connection = connection;
    this.inSchema = inSchema;
    this.secondsMax = secondsMax;
  }

  /** Returns all rows of a statement, mapped, in the order of the result. */
  public <T> List<T> list(String sql, Parameters.Binder bind, RowMapper<T> map)
      throws SQLException {
    try (PreparedStatement statement = prepare(sql, bind)) {
      return mapAll(statement, statement.executeQuery(), map);
    }
  }

  /** Maps a result, unless the server warned of the statement that it belongs to. */
  private static <T> List<T> mapAll(Statement statement, ResultSet result, RowMapper<T> map)
      throws SQLException {
    List<T> values = new ArrayList<>();
    try (ResultSet rows = result) {
      while (rows.next()) {
        values.add(map.map(rows));
      }
    }
    refuseWarning(statement.getWarnings());
    return values;
  }

  /**
   * Like {@link #list}, in a transaction of its own that gives its locks back before its commit is
   * flushed to disk. It still returns only once the commit is flushed, and on the synchronous
   * standbys. Others see earlier what it did, and must not tell it before it is.
   *
   * <p>All of it is one round trip. The commit itself waits for nothing; what follows is a commit
   * that waits, and the log is flushed in its order.
   *
   * @throws SQLException with {@link SqlStates#COMPLETION_UNKNOWN} if it was cancelled, perhaps
   *     after the commit
   */
  <T> List<T> listReleasingEarly(String sql, Parameters.Binder bind, RowMapper<T> map)
      throws SQLException {
    String statements =
        "BEGIN; SET LOCAL synchronous_commit = off; " + sql + "; COMMIT; " + AWAIT_FLUSH;
    try (PreparedStatement statement = prepare(statements, bind)) {
      statement.execute();
      statement.getMoreResults(); // from BEGIN's result to SET's, and on to the rows
      statement.getMoreResults();
      return mapAll(statement, statement.getResultSet(), map);
    } catch (SQLException e) {
      rollBackAfter(e);
      throw SqlStates.cancelled(e)
          ? new SQLException(e.getMessage(), SqlStates.COMPLETION_UNKNOWN, e)
          : e;
    }
  }

  private void rollBackAfter(SQLException fault) {
    try (Statement statement = connection.createStatement()) {
      statement.execute("ROLLBACK"); // the driver knows nothing of the transaction
    } catch (SQLException e) {
      fault.addSuppressed(e);
    }
  }

  /** Returns the first row of a statement, mapped, or nothing if there is none. */
  public <T> Optional<T> first(String sql, Parameters.Binder bind, RowMapper<T> map)
      throws SQLException {
    return list(sql, bind, map).stream().findFirst();
  }

  /** Returns the only row of a statement that always has one, mapped. */
  public <T> T one(String sql, Parameters.Binder bind, RowMapper<T> map) throws SQLException {
    return first(sql, bind, map)
        .orElseThrow(() -> new SQLException("The statement returned no row"));
  }

  /** Runs a statement that returns no rows, and returns how many rows it changed. */
  public int update(String sql, Parameters.Binder bind) throws SQLException {
    try (PreparedStatement statement = prepare(sql, bind)) {
      int changed = statement.executeUpdate();
      refuseWarning(statement.getWarnings());
      return changed;
    }
  }

  /**
   * Makes the server end this transaction if it hears nothing of it for so long, so that a process
   * that vanished keeps no pool locked. It costs one round trip, and ends with the transaction.
   */
  public void limitIdleTime(Duration idleMax) throws SQLException {
    one(
        "SELECT set_config('idle_in_transaction_session_timeout', ?, true)",
        parameters -> parameters.add(idleMax.toMillis() + "ms"),
        row -> row.getString(1));
  }

  /** Makes the transaction roll back when its work is done. */
  public void rollBack() {
    rollback = true;
  }

  boolean rollsBack() {
    return rollback;
  }

  private PreparedStatement prepare(String sql, Parameters.Binder bind) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(inSchema.apply(sql));
    try {
      statement.setQueryTimeout(secondsMax);
      bind.bind(new Parameters(statement));
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }

  /**
   * Treats a warning as an unknown outcome. A server whose wait for its synchronous standby is
   * cancelled commits all the same and only warns: after a failover the decision may be gone.
   * {@link ServerSettings} sees to it that the server sends warnings.
   *
   * @param warning null if there was none
   * @throws SQLException with {@link SqlStates#COMPLETION_UNKNOWN} for a warning; notices pass
   */
  static void refuseWarning(SQLWarning warning) throws SQLException {
    for (SQLWarning one = warning; one != null; one = one.getNextWarning()) {
      if (SqlStates.isWarning(one)) {
        throw new SQLException(
            "The server warned: " + one.getMessage(), SqlStates.COMPLETION_UNKNOWN, one);
      }
    }
  }
}

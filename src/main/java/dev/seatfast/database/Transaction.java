package dev.seatfast.database;

import java.sql.Connection;
import java.sql.SQLException;

/** All of some work on a connection, or nothing of it. */
public final class Transaction {

  private Transaction() {}

  /** What to do in it. */
  @FunctionalInterface
  public interface Work<T> {
    T run() throws SQLException;
  }

  /**
   * Runs the work and commits; the connection is as it was afterwards.
   *
   * @throws SQLException what went wrong. The work is undone, unless it was the answer to the
   *     commit that got lost
   */
  public static <T> T run(Connection connection, Work<T> work) throws SQLException {
    connection.setAutoCommit(false);
    boolean finished = false;
    try {
      T result = work.run();
      connection.clearWarnings();
      connection.commit();
      Session.refuseWarning(connection.getWarnings());
      finished = true;
      return result;
    } finally {
      if (!finished) {
        connection.rollback();
      }
      connection.setAutoCommit(true);
    }
  }
}

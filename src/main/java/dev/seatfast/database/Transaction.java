package dev.seatfast.database;

import java.sql.Connection;
import java.sql.SQLException;

/** Runs work on a connection completely, or not at all. */
final class Transaction {

  private Transaction() {}

  /** The work of a transaction. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws SQLException;
  }

  /**
   * Runs the work, commits it, and leaves the connection as it was.
   *
   * @throws SQLException if the work or the commit fails. The work is undone, unless the commit's
   *     reply was lost, or the server warned of it
   */
  static <T> T run(Connection connection, Work<T> work) throws SQLException {
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

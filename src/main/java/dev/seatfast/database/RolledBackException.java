package dev.seatfast.database;

import java.sql.SQLException;

/**
 * The database refused a statement and undid it. That is a fault of ours or of one request, never
 * an unknown outcome.
 */
public final class RolledBackException extends RuntimeException {

  public RolledBackException(SQLException cause) {
    super("The database refused a statement: SQLSTATE " + cause.getSQLState(), cause);
  }
}

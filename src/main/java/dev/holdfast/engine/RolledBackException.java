package dev.holdfast.engine;

import java.sql.SQLException;

/**
 * The database refused a statement and undid it. That is a fault of ours or of one request, never
 * an unknown outcome.
 */
final class RolledBackException extends RuntimeException {

  RolledBackException(SQLException cause) {
    super("The database refused a statement: SQLSTATE " + cause.getSQLState(), cause);
  }
}

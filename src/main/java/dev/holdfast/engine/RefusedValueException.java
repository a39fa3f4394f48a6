package dev.holdfast.engine;

import java.sql.SQLException;

/** The database refused a value and undid the statement: a fault of ours, not of its neighbours. */
final class RefusedValueException extends RuntimeException {

  RefusedValueException(SQLException cause) {
    super("The database refused a value: SQLSTATE " + cause.getSQLState(), cause);
  }
}

package dev.seatfast.database;

import java.io.FileNotFoundException;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import java.util.Set;
import javax.net.ssl.SSLException;

/**
 * What PostgreSQL's error codes mean to this program; see "PostgreSQL Error Codes" in its
 * documentation.
 */
public final class SqlStates {

  private static final String UNIQUE_VIOLATION = "23505";
  private static final String SERIALIZATION_FAILURE = "40001";
  private static final String DEADLOCK_DETECTED = "40P01";
  private static final Set<String> ROLLED_BACK_TRY_AGAIN =
      Set.of(UNIQUE_VIOLATION, SERIALIZATION_FAILURE, DEADLOCK_DETECTED);

  private static final String INVALID_SCHEMA_NAME = "3F000";
  private static final String UNDEFINED_TABLE = "42P01";
  private static final String UNDEFINED_FUNCTION = "42883";
  private static final String INSUFFICIENT_PRIVILEGE = "42501";
  private static final Set<String> SCHEMA_MISSING =
      Set.of(INVALID_SCHEMA_NAME, UNDEFINED_TABLE, UNDEFINED_FUNCTION, INSUFFICIENT_PRIVILEGE);

  private static final String INTERNAL_ERROR = "XX000";
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final String QUERY_CANCELED = "57014";
  private static final String DEPENDENT_OBJECTS_STILL_EXIST = "2BP01";
  private static final String CONNECTION_CLASS = "08";
  private static final String CONNECTION_REJECTED = "08004";
  private static final String CONNECTION_FAILURE = "08006";
  private static final String INSUFFICIENT_RESOURCES_CLASS = "53";
  private static final String OPERATOR_INTERVENTION_CLASS = "57P";
  private static final String AUTHORIZATION_CLASS = "28";
  private static final String SYSTEM_ERROR_CLASS = "58";
  private static final String NO_SUCH_DATABASE = "3D000";
  private static final String READ_ONLY = "25006"; // a standby, after a failover
  private static final String IDLE_IN_TRANSACTION_TIMEOUT = "25P03";
  private static final String TRANSACTION_TIMEOUT = "25P04";

  /** The server ends the session with these. */
  private static final Set<String> SESSION_TIMEOUT =
      Set.of(IDLE_IN_TRANSACTION_TIMEOUT, TRANSACTION_TIMEOUT);

  /** Inventions of the driver: a system error, and an error that it does not expect. */
  private static final Set<String> DRIVER_FAILED = Set.of("60000", "99999");

  /** Also what distributed PostgreSQL says when it cannot tell whether a commit succeeded. */
  static final String COMPLETION_UNKNOWN = "40003";

  private static final String SUCCESS_CLASS = "00";

  private SqlStates() {}

  /** The server warned of something; a mere notice has the code of success. */
  static boolean isWarning(SQLException e) {
    return !state(e).startsWith(SUCCESS_CLASS);
  }

  /** The server undid the whole transaction because of a race; doing it again may work. */
  public static boolean rolledBackTryAgain(SQLException e) {
    return ROLLED_BACK_TRY_AGAIN.contains(state(e));
  }

  /** The server undid the whole transaction, and had no fault to find with its statements. */
  static boolean undone(SQLException e) {
    return rolledBackTryAgain(e)
        || state(e).equals(LOCK_NOT_AVAILABLE)
        || state(e).equals(QUERY_CANCELED);
  }

  /** The statement was cancelled: its time was up, or somebody asked for it. */
  static boolean cancelled(SQLException e) {
    return state(e).equals(QUERY_CANCELED);
  }

  /** The namespace was never migrated, or only to an older version. */
  public static boolean schemaMissing(SQLException e) {
    return SCHEMA_MISSING.contains(state(e));
  }

  /**
   * What a statement refers to may have been dropped, perhaps while it ran: then PostgreSQL can
   * fail with an internal error too.
   */
  public static boolean schemaChanged(SQLException e) {
    return schemaMissing(e) || state(e).equals(INTERNAL_ERROR);
  }

  /** The server, or this session of it, takes no writes. */
  public static boolean readOnly(SQLException e) {
    return state(e).equals(READ_ONLY);
  }

  /** Our role lacks a right. */
  public static boolean forbidden(SQLException e) {
    return state(e).equals(INSUFFICIENT_PRIVILEGE);
  }

  /** Something outside the namespace depends on what was to be dropped. */
  public static boolean stillNeeded(SQLException e) {
    return state(e).equals(DEPENDENT_OBJECTS_STILL_EXIST);
  }

  /** Whether the transaction is committed, and survives a failover, is unknown. */
  public static boolean completionUnknown(SQLException e) {
    return state(e).equals(COMPLETION_UNKNOWN);
  }

  /**
   * The connection is useless from now on, and the others that were made with it may be the same.
   */
  public static boolean connectionLost(SQLException e) {
    String state = state(e);
    return state.startsWith(CONNECTION_CLASS)
        || state.startsWith(OPERATOR_INTERVENTION_CLASS)
        || SESSION_TIMEOUT.contains(state)
        || readOnly(e);
  }

  /**
   * The database can be reached, but not with these settings: it knows no such user, password or
   * database, or one side does not trust the other's certificate. The driver gives the last no code
   * of its own, but what failed for want of an answer has another cause.
   */
  public static boolean refusesUs(SQLException e) {
    String state = state(e);
    return state.startsWith(AUTHORIZATION_CLASS)
        || state.equals(NO_SUCH_DATABASE)
        || state.equals(CONNECTION_REJECTED)
        || state.equals(CONNECTION_FAILURE) && e.getCause() == null
        || hasCause(e, GeneralSecurityException.class)
        || hasCause(e, SSLException.class)
        || hasCause(e, FileNotFoundException.class);
  }

  /** There is no connection to the database, or none became free in time. */
  public static boolean unreachable(SQLException e) {
    return state(e).isEmpty() // the connection pool's own time-out carries no code
        || state(e).startsWith(CONNECTION_CLASS);
  }

  private static boolean hasCause(Throwable e, Class<? extends Exception> type) {
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The database cannot be reached, is going down, or had no time for this; or its answer is
   * unknown, because the driver failed.
   */
  public static boolean unavailable(SQLException e) {
    String state = state(e);
    return unreachable(e)
        || connectionLost(e)
        || state.startsWith(INSUFFICIENT_RESOURCES_CLASS)
        || state.startsWith(AUTHORIZATION_CLASS)
        || state.startsWith(SYSTEM_ERROR_CLASS)
        || state.equals(NO_SUCH_DATABASE)
        || completionUnknown(e)
        || DRIVER_FAILED.contains(state)
        || state.equals(LOCK_NOT_AVAILABLE)
        || state.equals(QUERY_CANCELED)
        || rolledBackTryAgain(e);
  }

  /** What went wrong; the other lines of a message only say where, and could be long. */
  public static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private static String state(SQLException e) {
    return e.getSQLState() == null ? "" : e.getSQLState();
  }
}

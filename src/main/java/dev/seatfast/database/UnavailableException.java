package dev.seatfast.database;

/**
 * There is no answer now. Whether the request was decided is unknown; the client finds out by
 * sending the same request again.
 */
public final class UnavailableException extends RuntimeException {

  /** Why there is no answer. */
  public enum Reason {
    /** More requests wait than the bound allows; this one was not begun. */
    OVERLOADED,
    /** The database gave no answer, or none that tells whether it committed. */
    DATABASE,
    /** The database undid the transaction for want of time or because of a race. */
    UNDONE
  }

  private final Reason reason;

  UnavailableException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** The request was not begun. */
  public static UnavailableException overloaded(String message) {
    return new UnavailableException(Reason.OVERLOADED, message, null);
  }

  /** The outcome is not to be told from what the database answered. */
  public static UnavailableException unknown(String message) {
    return new UnavailableException(Reason.DATABASE, message, null);
  }

  public Reason reason() {
    return reason;
  }
}

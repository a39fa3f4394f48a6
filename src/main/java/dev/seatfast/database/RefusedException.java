package dev.seatfast.database;

/**
 * The configuration names a database, schema or role with which this program would break a promise,
 * or destroy what is not its own. Nothing was changed, and trying again will not help.
 */
public final class RefusedException extends RuntimeException {

  /**
   * @param message one sentence that tells an operator what to do
   */
  public RefusedException(String message) {
    super(message);
  }
}

package dev.seatfast.database;

/** The schema is missing, or not what this version of the program needs. */
public final class NotMigratedException extends RuntimeException {

  NotMigratedException(String message) {
    super(message);
  }
}

package dev.seatfast.namespace;

/** The schema is missing, or older than this version needs it. */
final class NotMigratedException extends RuntimeException {

  NotMigratedException(String message) {
    super(message);
  }
}

package dev.seatfast.embedded;

/** The embedded PostgreSQL cannot run; the message tells the person at the keyboard why. */
public final class EmbeddedDatabaseException extends RuntimeException {

  EmbeddedDatabaseException(String message) {
    super(message);
  }

  EmbeddedDatabaseException(String message, Throwable cause) {
    super(message, cause);
  }
}

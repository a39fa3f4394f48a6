package dev.seatfast.login;

/** A command that cannot go on. The message says why in one line, and never has a token in it. */
final class LoginException extends Exception {

  private static final long serialVersionUID = 1L;

  LoginException(String message) {
    super(message);
  }
}

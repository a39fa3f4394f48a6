package dev.seatfast.namespace;

/** What the process ends with when it can't do what it was started for. */
public enum ExitCode {
  /** It did not start, or did not finish, for a reason that may pass. */
  START_FAULT(1),
  /** A setting can't be, or names a database that refuses us. */
  CONFIGURATION_FAULT(2),
  /** The namespace is deleted for good. */
  NAMESPACE_DELETED(3),
  /** The schema is missing or older than this version needs it. */
  NOT_MIGRATED(4);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }
}

package dev.seatfast.namespace;

/** Exit codes of a process that cannot do what it was started for. */
public enum ExitCode {
  /** It did not start, or did not finish, for a reason that may pass. */
  START_FAULT(1),
  /**
   * Invalid configuration: a setting, a database that refuses our credentials or does not fit, a
   * role without the rights, a schema of another program.
   */
  CONFIGURATION_FAULT(2),
  /** The namespace is deleted for good. */
  NAMESPACE_DELETED(3),
  /** The schema is missing, or not what this version needs. */
  NOT_MIGRATED(4);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }
}

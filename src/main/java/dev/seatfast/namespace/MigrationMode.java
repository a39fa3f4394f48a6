package dev.seatfast.namespace;

/** When the schema is brought to this version. */
public enum MigrationMode {
  /** Every time the service starts; a schema that is up to date is left as it is. */
  AT_START,
  /** Now, and then the process exits. */
  ONLY,
  /** By a separate step of the deployment. */
  NEVER
}

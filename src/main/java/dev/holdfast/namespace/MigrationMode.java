package dev.holdfast.namespace;

/** When the schema is brought to this version. */
public enum MigrationMode {
  /** Every time the service starts; changes nothing when it is up to date. */
  AT_START,
  /** Now, and then exit. */
  ONLY,
  /** By somebody else: a separate step of the deployment. */
  NEVER
}

package dev.seatfast.namespace;

import java.util.Optional;
import org.eclipse.microprofile.config.Config;

/** When the schema is brought to this version. */
public enum MigrationMode {
  /** Every time the service starts; changes nothing when it is up to date. */
  AT_START,
  /** Now, and then exit. */
  ONLY,
  /** By somebody else: a separate step of the deployment. */
  NEVER;

  private static final String CONNECTIONS = "quarkus.datasource.jdbc.max-size";

  /** One keeps the others out, one migrates. */
  private static final int CONNECTIONS_MIN = 2;

  /**
   * What is configured, and by default at the start on the embedded database, which nobody else
   * could migrate, and never on any other.
   */
  static MigrationMode of(Optional<MigrationMode> configured, boolean embeddedDatabase) {
    return configured.orElse(embeddedDatabase ? AT_START : NEVER);
  }

  /**
   * Reads it before the application starts, and sees to the connections that migrating takes.
   *
   * @throws IllegalArgumentException if there will be too few
   */
  public static MigrationMode prepare(Config config) {
    MigrationMode mode =
        of(
            config.getOptionalValue("seatfast.migrate", MigrationMode.class),
            config.getOptionalValue("seatfast.embedded-database", Boolean.class).orElse(false));
    if (mode != NEVER && config.getValue(CONNECTIONS, Integer.class) < CONNECTIONS_MIN) {
      if (mode == AT_START) {
        throw new IllegalArgumentException(
            "%s must be at least %d to migrate at the start"
                .formatted(CONNECTIONS, CONNECTIONS_MIN));
      }
      System.setProperty(CONNECTIONS, Integer.toString(CONNECTIONS_MIN));
    }
    return mode;
  }
}

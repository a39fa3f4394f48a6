package dev.seatfast.namespace;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Optional;

/** What the namespace's life can be told. */
@ConfigMapping(prefix = "seatfast")
public interface NamespaceConfig {

  /** {@code active}, or {@code deleted} for its end: all data goes, and the tombstone stays. */
  @WithDefault("active")
  NamespaceState namespaceState();

  /** {@code at-start}, {@code never} or {@code only}; {@link MigrationMode#of} has the default. */
  Optional<MigrationMode> migrate();

  /** Whether the embedded database is wanted. */
  @WithDefault("false")
  boolean embeddedDatabase();
}

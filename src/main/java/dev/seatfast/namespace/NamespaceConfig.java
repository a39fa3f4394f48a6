package dev.seatfast.namespace;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Optional;

/** Settings of the namespace's life. */
@ConfigMapping(prefix = "seatfast")
public interface NamespaceConfig {

  /**
   * {@code active}, or {@code deleted}: then all data is deleted for good, and the tombstone stays.
   */
  @WithDefault("active")
  NamespaceState namespaceState();

  /**
   * When the schema is migrated. If unset, {@code at-start} where this process runs the embedded
   * database, which no other process could migrate, and {@code never} elsewhere.
   */
  Optional<MigrationMode> migrate();
}

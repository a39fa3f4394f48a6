package dev.holdfast.namespace;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What the namespace's life can be told. */
@ConfigMapping(prefix = "holdfast")
public interface NamespaceConfig {

  /** {@code at-start} in dev and test, {@code never} in production, or {@code only}. */
  @WithDefault("never")
  MigrationMode migrate();
}

package dev.seatfast.embedded;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What the embedded database can be told. It is read by {@link EmbeddedDatabaseLifecycle} before
 * Quarkus makes its configuration; here it is declared and validated like every other property.
 */
@ConfigMapping(prefix = "seatfast")
public interface EmbeddedDatabaseConfig {

  /** Run the embedded PostgreSQL, unless a JDBC URL is set. On in dev and test. */
  @WithDefault("false")
  boolean embeddedDatabase();

  /** The folder of its files, {@code ~/.seatfast/postgres} by default. */
  Optional<Path> embeddedDatabaseDir();

  /** Its port on the loopback address; 0 for any free one. */
  @WithDefault("0")
  int embeddedDatabasePort();
}

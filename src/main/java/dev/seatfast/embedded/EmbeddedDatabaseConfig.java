package dev.seatfast.embedded;

import io.quarkus.arc.Unremovable;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;

/** Settings of the embedded PostgreSQL, which is started before there are beans. */
@Unremovable
@ConfigMapping(prefix = "seatfast")
public interface EmbeddedDatabaseConfig {

  /** Whether to run it, unless a JDBC URL is set. On in dev and test. */
  @WithDefault("false")
  boolean embeddedDatabase();

  /** The folder of its files. */
  @WithDefault("${user.home}/.seatfast/postgres")
  Path embeddedDatabaseDir();

  /** Its port on the loopback address, 0 to 65535; 0 is any free one. */
  @WithDefault("0")
  int embeddedDatabasePort();
}

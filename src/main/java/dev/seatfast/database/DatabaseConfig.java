package dev.seatfast.database;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Which part of the database this deployment owns, and how long it waits for the server. */
@ConfigMapping(prefix = "seatfast")
public interface DatabaseConfig {

  /** The schema that this deployment owns. */
  @WithDefault("seatfast")
  @WithConverter(NamespaceConverter.class)
  Namespace namespace();

  /** The longest that a statement may take, 1 second or more. */
  Duration statementTimeMax();
}

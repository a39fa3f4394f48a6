package dev.seatfast.database;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Which part of the database this deployment owns, and how long it waits for the server. */
@ConfigMapping(prefix = "seatfast")
public interface DatabaseConfig {

  /** The schema that this deployment owns; see {@link Namespace} for the names it may have. */
  @WithDefault("seatfast")
  @WithConverter(NamespaceConverter.class)
  Namespace namespace();

  /** The longest that a statement may take, 1 second to 1 hour. */
  @WithDefault("5S")
  Duration statementTimeMax();
}

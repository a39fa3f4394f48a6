package dev.seatfast.operators;

import dev.seatfast.engine.Sweep;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.util.Optional;

/** What the routes for operators can be told. */
@ConfigMapping(prefix = "seatfast")
interface OperatorConfig {

  /**
   * Opens the routes for operators to who sends it as a bearer token; without it there are none.
   */
  Optional<String> internalToken();

  /** When expired holds are tidied up. */
  Sweep sweep();

  /** Who may read the metrics. */
  Metrics metrics();

  /** When expired holds are tidied up. */
  interface Sweep {

    /** How often, in a process that lives long enough; {@code off} where it does not. */
    @WithDefault("30s")
    String every();
  }

  /** Who may read the metrics. */
  interface Metrics {

    /** Everybody; otherwise only who sends the token. */
    @WithName("public")
    @WithDefault("false")
    boolean open();
  }
}

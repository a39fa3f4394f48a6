package dev.seatfast.operators;

import dev.seatfast.engine.Sweep;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.util.Optional;

/** Settings for operators. */
@ConfigMapping(prefix = "seatfast")
interface OperatorConfig {

  /**
   * Bearer token that grants access to the operators' routes. If unset, those routes return 404.
   */
  Optional<String> internalToken();

  /** The timer that marks expired holds. */
  Sweep sweep();

  /** Who may read the metrics. */
  Metrics metrics();

  /** The timer that marks expired holds. */
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

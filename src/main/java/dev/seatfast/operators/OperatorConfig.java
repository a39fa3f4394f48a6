package dev.seatfast.operators;

import dev.seatfast.engine.Sweep;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings for operators. */
@ConfigMapping(prefix = "seatfast")
interface OperatorConfig {

  /** The timer that marks expired holds. */
  Sweep sweep();

  /** The timer that marks expired holds. */
  interface Sweep {

    /** How often, in a process that lives long enough; {@code off} where it does not. */
    @WithDefault("30s")
    String every();
  }
}

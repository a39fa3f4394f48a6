package dev.holdfast.administration;

import io.smallrye.config.ConfigMapping;
import java.util.Optional;

/** What the routes for operators can be told. */
@ConfigMapping(prefix = "holdfast")
interface AdministrationConfig {

  /**
   * Opens the routes for operators to who sends it as a bearer token; without it there are none.
   */
  Optional<String> internalToken();
}

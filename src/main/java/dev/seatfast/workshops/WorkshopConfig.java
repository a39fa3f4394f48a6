package dev.seatfast.workshops;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the routes for workshops. */
@ConfigMapping(prefix = "seatfast.idempotency")
interface WorkshopConfig {

  /** Whether a known request id with other seats is refused with 422 instead of replayed. */
  @WithDefault("false")
  boolean rejectMismatch();
}

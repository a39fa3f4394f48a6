package dev.seatfast.workshops;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What the workshop routes can be told. */
@ConfigMapping(prefix = "seatfast.idempotency")
interface WorkshopConfig {

  /** Whether a known request id with other seats is refused instead of replayed. */
  @WithDefault("false")
  boolean rejectMismatch();
}

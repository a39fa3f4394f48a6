package dev.holdfast.engine;

import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Stops the start, before anything is touched, if a setting can't work. */
@Singleton
class EngineConfigRules {

  private static final int BEFORE_EVERYTHING = 1;
  private static final int BATCH_REQUESTS_MAX = 500; // the SQL frees seats for so many at once
  private static final int WAITING_MAX = 1_000_000;

  private final EngineConfig config;
  private final int connectionsMax;

  EngineConfigRules(
      EngineConfig config,
      @ConfigProperty(name = "quarkus.datasource.jdbc.max-size") int connectionsMax) {
    this.config = config;
    this.connectionsMax = connectionsMax;
  }

  void check(@Observes @Priority(BEFORE_EVERYTHING) StartupEvent event) {
    within("default-capacity", config.defaultCapacity(), 0, SeatPools.CAPACITY_MAX);
    within("batch.requests-max", config.batch().requestsMax(), 1, BATCH_REQUESTS_MAX);
    within("batch.waiting-max", config.batch().waitingMax(), 1, WAITING_MAX);
    within("batch.transactions-max", config.batch().transactionsMax(), 1, connectionsMax);
    within(
        "statement-time-max",
        config.statementTimeMax(),
        Duration.ofSeconds(1),
        Duration.ofHours(1));
    within(
        "hold.time-to-live",
        config.hold().timeToLive(),
        Duration.ofMillis(1),
        Duration.ofDays(366));
    within(
        "hold.time-max", config.hold().timeMax(), config.hold().timeToLive(), Duration.ofDays(366));
  }

  private static <T extends Comparable<T>> void within(String name, T value, T min, T max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          "holdfast.%s must be from %s to %s, but is %s".formatted(name, min, max, value));
    }
  }
}

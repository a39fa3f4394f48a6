package dev.holdfast.engine;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Counts and times decisions, from a request's arrival in the engine to its commit. */
@Singleton
class DecisionMetrics {

  private static final String NAME = "holdfast.decisions";

  private final Timer accepted;
  private final Timer rejected;
  private final Timer replayed;
  private final Timer unavailable;

  DecisionMetrics(MeterRegistry registry) {
    this.accepted = timer(registry, "accepted");
    this.rejected = timer(registry, "rejected");
    this.replayed = timer(registry, "replayed");
    this.unavailable = timer(registry, "unavailable");
  }

  private static Timer timer(MeterRegistry registry, String outcome) {
    return Timer.builder(NAME)
        .description("Decisions by outcome, from arrival to commit")
        .tag("outcome", outcome)
        .serviceLevelObjectives(
            Duration.ofMillis(1),
            Duration.ofMillis(2),
            Duration.ofMillis(5),
            Duration.ofMillis(10),
            Duration.ofMillis(25),
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(250),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5))
        .register(registry);
  }

  /**
   * @param decision null if there was none
   */
  void record(Decision decision, long nanos) {
    timerFor(decision).record(nanos, TimeUnit.NANOSECONDS);
  }

  private Timer timerFor(Decision decision) {
    if (decision == null) {
      return unavailable;
    }
    if (decision.replayed()) {
      return replayed;
    }
    return switch (decision.outcome()) {
      case ACCEPTED -> accepted;
      case REJECTED -> rejected;
    };
  }
}

package dev.seatfast.engine;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Counts and times decisions by outcome, from a request's arrival in the engine to its commit. */
@Singleton
class DecisionMetrics {

  private static final String NAME = "seatfast.decisions";
  private static final String UNAVAILABLE = "unavailable";

  private final MeterRegistry registry;
  private final Map<String, Timer> timers = new ConcurrentHashMap<>();

  DecisionMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /** The same answer, timed from now until it is there. */
  <T> CompletionStage<T> timed(CompletableFuture<T> answer, Function<T, String> outcome) {
    long start = System.nanoTime();
    return answer.whenComplete(
        (decision, fault) ->
            timers
                .computeIfAbsent(fault == null ? outcome.apply(decision) : UNAVAILABLE, this::timer)
                .record(System.nanoTime() - start, TimeUnit.NANOSECONDS));
  }

  static String outcome(SeatAnswer answer) {
    if (answer instanceof Shut shut) {
      return outcome(shut);
    }
    Decision decision = (Decision) answer;
    return decision.replayed()
        ? "replayed"
        : switch (decision.outcome()) {
          case ACCEPTED -> "accepted";
          case REJECTED -> "rejected";
        };
  }

  static String outcome(HoldAnswer answer) {
    if (answer instanceof HoldAnswer.Held held) {
      return held.replayed() ? "replayed" : "held";
    }
    return answer instanceof Shut shut ? outcome(shut) : "refused";
  }

  private static String outcome(Shut shut) {
    return shut.reason().name().toLowerCase(Locale.ROOT);
  }

  static String outcome(Settlement.Action action, Settlement settlement) {
    return settlement.outcome() == Settlement.Outcome.DONE
        ? switch (action) {
          case CONFIRM -> "confirmed";
          case CANCEL -> "cancelled";
          case EXTEND -> "extended";
        }
        : settlement.outcome().name().toLowerCase(Locale.ROOT);
  }

  private Timer timer(String outcome) {
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
}

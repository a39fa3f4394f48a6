package dev.seatfast.engine;

import dev.seatfast.database.Namespace;
import java.time.Duration;
import org.eclipse.microprofile.config.Config;

/** The ranges of the engine's settings, to be checked before anything is started or touched. */
public final class EngineSettings {

  /** Unless the configuration says otherwise, and there are so many connections. */
  static final int TRANSACTIONS_MAX = 8;

  private static final String TRANSACTIONS = "seatfast.batch.transactions-max";
  private static final int BATCH_REQUESTS_MAX = 500; // the SQL frees seats for so many at once
  private static final int WAITING_MAX = 1_000_000;
  private static final Duration YEAR = Duration.ofDays(366);

  private EngineSettings() {}

  /**
   * @throws IllegalArgumentException that names the first setting that can't work, and why
   */
  public static void check(Config config) {
    new Namespace(config.getValue("seatfast.namespace", String.class));
    Duration timeToLive = config.getValue("seatfast.hold.time-to-live", Duration.class);
    int connections = config.getValue("quarkus.datasource.jdbc.max-size", Integer.class);
    within(config, "seatfast.default-capacity", 0, SeatPools.CAPACITY_MAX);
    within(config, "seatfast.batch.requests-max", 1, BATCH_REQUESTS_MAX);
    within(config, "seatfast.batch.waiting-max", 1, WAITING_MAX);
    if (config.getOptionalValue(TRANSACTIONS, Integer.class).isPresent()) {
      within(config, TRANSACTIONS, 1, connections);
    }
    within(config, "seatfast.statement-time-max", Duration.ofSeconds(1), Duration.ofHours(1));
    within(config, "seatfast.hold.time-to-live", Duration.ofMillis(1), YEAR);
    within(config, "seatfast.hold.time-max", timeToLive, YEAR);
  }

  @SuppressWarnings("unchecked")
  private static <T extends Comparable<T>> void within(Config config, String name, T min, T max) {
    T value = config.getValue(name, (Class<T>) min.getClass());
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          "%s must be from %s to %s, but is %s".formatted(name, min, max, value));
    }
  }
}

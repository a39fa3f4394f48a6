package dev.seatfast.namespace;

import dev.seatfast.database.SqlStates;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Tries again what may fail because others do the same, or something else, at the same moment. */
final class Retries {

  private static final Logger LOG = Logger.getLogger(Retries.class);

  /** Once per contender at worst. */
  private static final int ATTEMPTS_MAX = 10;

  private static final int PAUSE_MS_MAX = 500;

  private Retries() {}

  /** Something that may fail. */
  @FunctionalInterface
  interface Step {
    void run() throws SQLException;
  }

  /**
   * @param what for the log: "Migrating"
   * @throws SQLException of the last attempt
   */
  static void run(String what, Step step) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        step.run();
        return;
      } catch (SQLException e) {
        if (attempt == ATTEMPTS_MAX || SqlStates.refusesUs(e) || SqlStates.unreachable(e)) {
          throw e;
        }
        LOG.infof("%s again, after: %s", what, firstLine(e));
        pause();
      }
    }
  }

  /** What went wrong; the rest only says where, and could be long. */
  static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(1, PAUSE_MS_MAX));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }
}

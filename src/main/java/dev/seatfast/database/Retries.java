package dev.seatfast.database;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jboss.logging.Logger;

/**
 * Runs a step again while it fails in a way that may pass, after pauses of random length, so that
 * two processes that collided do not collide again.
 *
 * @param attemptsMax how often the step runs at most
 * @param pauseMax the longest pause, 1 ms or more
 * @param mayPass whether the same step may succeed after this fault
 * @param level at which each repetition is logged
 */
public record Retries(
    int attemptsMax, Duration pauseMax, Predicate<SQLException> mayPass, Logger.Level level) {

  private static final Logger LOG = Logger.getLogger(Retries.class);

  /** Something that may fail. */
  @FunctionalInterface
  public interface Step<T> {
    T run() throws SQLException;
  }

  /**
   * Returns the result of the first attempt that succeeds.
   *
   * @param what names the step in the log: "Migrating"
   * @throws SQLException of the last attempt
   */
  public <T> T run(String what, Step<T> step) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        return step.run();
      } catch (SQLException e) {
        if (attempt == attemptsMax || !mayPass.test(e) || !pause()) {
          throw e;
        }
        LOG.logf(level, "%s again, after: %s", what, SqlStates.firstLine(e));
      }
    }
  }

  /** Returns false if the thread is interrupted, and leaves it so. */
  private boolean pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(1, pauseMax.toMillis() + 1));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

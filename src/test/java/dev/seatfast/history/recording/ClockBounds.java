package dev.seatfast.history.recording;

/**
 * Where the database's clock can be, seen from the clock of the run.
 *
 * @param aheadMin the least that the database's clock is ahead, in microseconds; negative if behind
 * @param aheadMax the most
 */
public record ClockBounds(long aheadMin, long aheadMax) {

  private static final long MICROS_PER_MILLI = 1_000;

  public ClockBounds {
    if (aheadMin > aheadMax) {
      throw new IllegalArgumentException(aheadMin + " > " + aheadMax);
    }
  }

  /** What one question tells: the database's time, read between two readings of our clock. */
  public static ClockBounds of(long before, long database, long after) {
    return new ClockBounds(database - after, database - before);
  }

  /** What both tell, of questions at about the same time. */
  public ClockBounds and(ClockBounds other) {
    long min = Math.max(aheadMin, other.aheadMin);
    long max = Math.min(aheadMax, other.aheadMax);
    return min <= max ? new ClockBounds(min, max) : or(other);
  }

  /** What either tells, of questions at different times, between which the clocks may drift. */
  public ClockBounds or(ClockBounds other) {
    return new ClockBounds(Math.min(aheadMin, other.aheadMin), Math.max(aheadMax, other.aheadMax));
  }

  /** Allows for an error on both sides. */
  public ClockBounds widenedBy(long micros) {
    return new ClockBounds(aheadMin - micros, aheadMax + micros);
  }

  /** The earliest time of the run at which the database's clock can show this many milliseconds. */
  public long earliest(long databaseMillis) {
    return databaseMillis * MICROS_PER_MILLI - aheadMax;
  }

  /** The latest time of the run at which the database's clock reaches this many milliseconds. */
  public long latest(long databaseMillis) {
    return databaseMillis * MICROS_PER_MILLI - aheadMin;
  }
}

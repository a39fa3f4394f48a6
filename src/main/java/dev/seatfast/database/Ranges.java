package dev.seatfast.database;

/** Checks that settings are in their range. */
public final class Ranges {

  private Ranges() {}

  /**
   * @param name of the setting
   * @throws IllegalArgumentException that names the setting and the range, if the value is outside
   */
  public static <T extends Comparable<T>> void check(String name, T value, T min, T max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          "%s must be from %s to %s, but is %s".formatted(name, min, max, value));
    }
  }
}

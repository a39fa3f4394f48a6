package dev.holdfast.engine;

import java.util.Objects;

/**
 * Names one seat pool in the database. The first letter tells the kind, so that a workshop and a
 * slot never share a pool.
 *
 * @param value 3 to 640 characters
 */
public record PoolKey(String value) {

  private static final int LENGTH_MIN = 3;
  private static final int LENGTH_MAX = 640;

  public PoolKey {
    Objects.requireNonNull(value);
    int length = value.codePointCount(0, value.length());
    if (length < LENGTH_MIN || length > LENGTH_MAX) {
      throw new IllegalArgumentException("A pool key has 3 to 640 characters, not " + length);
    }
  }

  /** The pool of a workshop, whose name must be valid. */
  public static PoolKey ofWorkshop(String name) {
    return new PoolKey("w:" + name);
  }

  @Override
  public String toString() {
    return value;
  }
}

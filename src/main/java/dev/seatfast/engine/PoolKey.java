package dev.seatfast.engine;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Objects;

/**
 * Names one seat pool in the database. The first letter tells the kind, so that a workshop and a
 * slot never share a pool.
 *
 * @param value 3 to 640 characters
 */
public record PoolKey(String value) implements Comparable<PoolKey> {

  private static final int LENGTH_MIN = 3;
  private static final int LENGTH_MAX = 640;

  private static final int SLOT_START_LENGTH = "2000-01-01T00:00:00.000Z".length();
  private static final DateTimeFormatter SLOT_START =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  public PoolKey {
    Objects.requireNonNull(value);
    int length = value.codePointCount(0, value.length());
    if (length < LENGTH_MIN || length > LENGTH_MAX) {
      throw new IllegalArgumentException("A pool key has 3 to 640 characters, not " + length);
    }
  }

  /** The pool of a workshop that belongs to no tenant; its name must be valid. */
  public static PoolKey ofWorkshop(String name) {
    return new PoolKey("w:" + name);
  }

  /**
   * The pool of a tenant's workshop. The length makes it unambiguous whatever the tenant contains.
   */
  public static PoolKey ofWorkshop(String tenant, String name) {
    return new PoolKey("t:" + tenant.length() + ":" + tenant + ":" + name);
  }

  /**
   * The pool of a slot. The lengths make it unambiguous whatever the two ids contain, and the
   * instant at the end has a fixed width, so that a resource's slots sort by time.
   *
   * @param start in the years 0000 to 9999; its milliseconds count, anything finer is cut off
   */
  public static PoolKey ofSlot(String tenantId, String resourceId, Instant start) {
    return new PoolKey(slotPrefix(tenantId, resourceId) + SLOT_START.format(start));
  }

  /** What the keys of a resource's slots begin with. */
  static String slotPrefix(String tenantId, String resourceId) {
    return tenantPrefix(tenantId) + resourceId.length() + ":" + resourceId + ":";
  }

  /** What the keys of a tenant's slots begin with. */
  static String tenantPrefix(String tenantId) {
    return "s:" + tenantId.length() + ":" + tenantId + ":";
  }

  /** When the slot of this pool starts. */
  Instant slotStart() {
    return Instant.parse(value.substring(value.length() - SLOT_START_LENGTH));
  }

  /**
   * Written out because every request looks its pool up: in a native executable a record's own
   * equals is interpreted, which took an eighth of the CPU time of a decision.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof PoolKey key && value.equals(key.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  /**
   * The order in which a transaction locks its pools. It need not be the database's order, but the
   * same everywhere.
   */
  @Override
  public int compareTo(PoolKey other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}

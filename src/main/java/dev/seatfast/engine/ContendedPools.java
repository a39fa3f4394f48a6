package dev.seatfast.engine;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * Pools that this process lately found locked by others. Only a hint: two pools may share an entry,
 * so that it never grows.
 */
final class ContendedPools {

  private static final int ENTRIES = 1024; // a power of two
  private static final long REMEMBERED_NANOS = 1_000_000_000L;

  private final LongSupplier nanoTime;
  private final AtomicLongArray until = new AtomicLongArray(ENTRIES);

  /**
   * @param nanoTime like {@link System#nanoTime}
   */
  ContendedPools(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    for (int i = 0; i < ENTRIES; i++) {
      until.set(i, nanoTime.getAsLong());
    }
  }

  /** Remembers a pool for a second. */
  void add(PoolKey pool) {
    until.set(entry(pool), nanoTime.getAsLong() + REMEMBERED_NANOS);
  }

  boolean contains(PoolKey pool) {
    return nanoTime.getAsLong() - until.get(entry(pool)) < 0;
  }

  private static int entry(PoolKey pool) {
    int hash = pool.hashCode();
    return (hash ^ hash >>> 16) & (ENTRIES - 1);
  }
}

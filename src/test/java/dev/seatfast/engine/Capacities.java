package dev.seatfast.engine;

/** Sets capacities where no operator is involved. */
final class Capacities {

  private Capacities() {}

  /** Returns whether the capacity was set. */
  static boolean set(SeatPools pools, PoolKey pool, int capacity) {
    return pools.setCapacity(pool, capacity, (session, change) -> {}).changed();
  }
}

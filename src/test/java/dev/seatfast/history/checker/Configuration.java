package dev.seatfast.history.checker;

import dev.seatfast.history.model.PoolState;

/**
 * Where one possible order has got to.
 *
 * @param state the pool after it
 * @param effective which of the pending operations it contains, a bit for each place
 */
record Configuration(PoolState state, long effective) {

  boolean contains(int place) {
    return (effective & (1L << place)) != 0;
  }

  Configuration with(int place, PoolState after) {
    return new Configuration(after, effective | (1L << place));
  }

  Configuration forget(int place) {
    return new Configuration(state, effective & ~(1L << place));
  }
}

package dev.seatfast.history.recording;

import java.util.List;

/**
 * Everything that clients asked of one pool and were told.
 *
 * @param pool its name
 * @param defaultCapacity its seats before an operator changes them
 */
public record PoolHistory(String pool, int defaultCapacity, List<Operation> operations) {

  public PoolHistory {
    operations = List.copyOf(operations);
  }

  public PoolHistory with(List<Operation> others) {
    return new PoolHistory(pool, defaultCapacity, others);
  }
}

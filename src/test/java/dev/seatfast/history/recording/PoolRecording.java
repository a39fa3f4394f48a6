package dev.seatfast.history.recording;

import java.util.ArrayList;
import java.util.List;

/** Collects the history of one pool from clients that run at the same time. */
public final class PoolRecording {

  private final String pool;
  private final int defaultCapacity;
  private final List<Operation> operations = new ArrayList<>();

  public PoolRecording(String pool, int defaultCapacity) {
    this.pool = pool;
    this.defaultCapacity = defaultCapacity;
  }

  public synchronized Operation add(
      String client, long begin, long end, Request request, Answer answer) {
    Operation operation =
        new Operation(
            operations.size(),
            client,
            begin,
            answer instanceof Answer.Unknown ? Operation.NEVER : end,
            request,
            answer);
    operations.add(operation);
    return operation;
  }

  public synchronized PoolHistory history() {
    return new PoolHistory(pool, defaultCapacity, operations);
  }
}

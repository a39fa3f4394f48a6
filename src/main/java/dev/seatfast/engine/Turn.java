package dev.seatfast.engine;

import java.util.List;

/**
 * One transaction's share of the queues: pools of which nothing else is under way, with requests
 * that are all of one kind.
 *
 * @param mayWait whether the transaction may wait for a lock; then it has one pool
 */
record Turn(List<Taken> pools, boolean mayWait) {

  /** The requests of one pool that are under way. */
  record Taken(PoolLine line, List<Waiting<?, ?>> requests) {}

  /** What became of one pool's requests. */
  sealed interface Result {

    /** Tells the clients. Called after the pool was released, without a lock. */
    void tell();

    /** They have their answers. */
    record Answered(Runnable tellAll) implements Result {
      @Override
      public void tell() {
        tellAll.run();
      }
    }

    /** They failed, each with the same fault. */
    record Failed(List<Waiting<?, ?>> requests, Throwable fault) implements Result {
      @Override
      public void tell() {
        requests.forEach(waiting -> waiting.fail(fault));
      }
    }

    /** Nothing was decided; they need a transaction of their own that may wait. */
    record Postponed() implements Result {
      @Override
      public void tell() {}
    }
  }
}

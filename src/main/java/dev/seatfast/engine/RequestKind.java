package dev.seatfast.engine;

import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Requests that one transaction can decide together.
 *
 * @param id names a request: two with the same id would get the same decision, so the second one
 *     joins the first while that still waits
 * @param replay what a request gets that joined another one, made of the other's answer
 * @param decider decides them
 */
record RequestKind<Q, A>(Function<Q, ?> id, UnaryOperator<A> replay, Decider<Q, A> decider) {

  /** Requests for one pool, to be decided in their order. */
  record Batch<Q>(PoolKey pool, List<Q> requests) {}

  /** Decides requests of several pools in one transaction. */
  @FunctionalInterface
  interface Decider<Q, A> {

    /**
     * Returns an outcome for each batch, in their order, after the commit.
     *
     * @param batches of different pools, each with requests of different ids
     * @param mayWait whether the transaction may wait for a pool's lock. If not, a pool that
     *     another transaction has locked is {@link Outcome.Locked}
     * @throws dev.seatfast.database.RolledBackException if the database refused a request and
     *     changed nothing
     * @throws dev.seatfast.database.UnavailableException if nothing was decided, or the outcome is
     *     unknown
     */
    List<Outcome<A>> decide(List<Batch<Q>> batches, boolean mayWait);
  }

  /** What a transaction did with one pool. */
  sealed interface Outcome<A> {

    /**
     * The pool's requests are decided.
     *
     * @param answers one for each request, in their order
     */
    record Decided<A>(List<A> answers) implements Outcome<A> {}

    /** Another transaction has locked the pool; nothing was changed in it. */
    record Locked<A>() implements Outcome<A> {}
  }
}

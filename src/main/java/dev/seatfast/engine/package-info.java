/**
 * The decisions: seat pools, attempts, holds, slots, groups and their SQL; the queues in front of
 * them; the sweep, the events and the invariant checker.
 *
 * <p>A request goes from {@link dev.seatfast.engine.ReservationEngine} or {@link
 * dev.seatfast.engine.HoldEngine} through {@code PoolQueues} to a store, which calls one function
 * of the database. The rules are in these functions, so that every instance obeys the same ones.
 *
 * <p>May use {@code database}; knows nothing of HTTP.
 */
package dev.seatfast.engine;

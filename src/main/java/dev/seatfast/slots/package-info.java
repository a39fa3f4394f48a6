/**
 * Slots over HTTP: the fixed contract, with which clients hold and confirm a slot, and what goes
 * beyond it, such as lists and groups of slots.
 *
 * <p>A resource reads a request with the record of its body, asks the engine, and answers with
 * another record. {@link dev.seatfast.slots.SlotKey} is the only way to the seat pool of a slot.
 * The package uses {@code engine}, {@code holds} and {@code http}, and leaves all SQL to the
 * engine.
 */
package dev.seatfast.slots;

/**
 * Workshops over HTTP: the fixed contract, with which clients reserve seats and read the counts,
 * and holds on seats, which go beyond it.
 *
 * <p>A resource reads a request with the record of its body, asks the engine, and answers with
 * another record. {@link dev.seatfast.workshops.WorkshopName} is the only way to the seat pool of a
 * workshop. The package uses {@code engine}, {@code holds} and {@code http}, and leaves all SQL to
 * the engine.
 */
package dev.seatfast.workshops;

/**
 * How holds look over HTTP, the same for slots, groups of slots and workshops: ids, answers,
 * reasons of refusals, and the actions that settle a hold.
 *
 * <p>The holds themselves are the business of {@code engine}, which the package uses beside {@code
 * http}.
 */
package dev.seatfast.holds;

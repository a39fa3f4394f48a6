/**
 * What operators may do, and nobody else: set capacities, list attempts, sweep expired holds,
 * follow events and check the invariants. To a request without their token, none of the routes
 * exists.
 *
 * <p>Panache reads attempts here, so Hibernate starts only where there is a token. The package uses
 * {@code engine}, {@code database}, {@code http}, and the names of {@code workshops}.
 */
package dev.seatfast.operators;

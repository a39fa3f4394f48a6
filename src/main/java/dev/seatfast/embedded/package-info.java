/**
 * A PostgreSQL server as a child of this process, for laptops and tests. It knows nothing of seats
 * and uses no other package; only the main method may use it.
 */
package dev.seatfast.embedded;

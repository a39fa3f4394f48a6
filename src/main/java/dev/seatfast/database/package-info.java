/**
 * The way to PostgreSQL: transactions, statements and what their faults mean; the connection's
 * address and credentials; checks of the server and the schema; readiness; the tombstone. Every
 * other package may use it; it uses none of them.
 */
package dev.seatfast.database;

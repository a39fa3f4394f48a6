/**
 * HTTP as every route has it: errors and their bodies, request bodies, limits, and the filters in
 * the one order that {@link dev.seatfast.http.FilterOrder} gives. {@code http.wire} guards the
 * connections of HTTP/1.x below the server.
 *
 * <p>May use {@code database}, for what its faults mean to a client; knows no route.
 */
package dev.seatfast.http;

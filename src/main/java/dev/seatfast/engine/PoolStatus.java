package dev.seatfast.engine;

/**
 * The counts of one pool at one instant.
 *
 * @param capacity its seats
 * @param reserved the seats that are taken, confirmed or held
 * @param acceptedRequests the attempts that are confirmed
 * @param rejectedRequests the attempts that were rejected
 * @param acceptedSeats the seats of the confirmed attempts
 */
public record PoolStatus(
    int capacity, int reserved, long acceptedRequests, long rejectedRequests, int acceptedSeats) {}

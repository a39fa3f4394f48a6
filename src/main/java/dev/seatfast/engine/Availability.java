package dev.seatfast.engine;

import java.util.Optional;

/**
 * What a request for seats of a pool would find at one instant.
 *
 * @param capacity the pool's seats
 * @param free the seats that nobody holds or has
 * @param opening when seats of the pool may be taken
 * @param shut why none can be taken at that instant; empty if they can
 */
public record Availability(
    PoolKey pool, int capacity, int free, Opening opening, Optional<Shut.Reason> shut) {}

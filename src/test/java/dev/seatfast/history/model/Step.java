package dev.seatfast.history.model;

import dev.seatfast.history.recording.Answer;

/**
 * One way in which a request can take effect.
 *
 * @param answer what the client is told
 * @param state the pool afterwards, the same object if nothing changed
 */
public record Step(Answer answer, PoolState state) {}

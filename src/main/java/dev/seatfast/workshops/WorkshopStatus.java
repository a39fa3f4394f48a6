package dev.seatfast.workshops;

import dev.seatfast.engine.PoolStatus;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** A workshop's counts, all from one instant. */
@RegisterForReflection
record WorkshopStatus(
    String workshop,
    int capacity,
    int reserved,
    long acceptedRequests,
    long rejectedRequests,
    long acceptedSeats) {

  static WorkshopStatus of(WorkshopName workshop, PoolStatus status) {
    return new WorkshopStatus(
        workshop.value(),
        status.capacity(),
        status.reserved(),
        status.acceptedRequests(),
        status.rejectedRequests(),
        status.acceptedSeats());
  }
}

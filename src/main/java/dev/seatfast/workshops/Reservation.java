package dev.seatfast.workshops;

import dev.seatfast.engine.Decision;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Locale;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The decision about a request, as its client sees it.
 *
 * @param seats of the first request with this id
 * @param status {@code accepted} or {@code rejected}
 * @param capacity the workshop's seats
 * @param reserved the seats that were taken right after the decision
 * @param replayed whether the request had been decided before
 */
@RegisterForReflection
record Reservation(
    String workshop,
    String requestId,
    int seats,
    @Schema(enumeration = {"accepted", "rejected"}) String status,
    int capacity,
    int reserved,
    boolean replayed) {

  static Reservation of(WorkshopName workshop, Decision decision) {
    return new Reservation(
        workshop.value(),
        decision.requestId(),
        decision.seats(),
        decision.outcome().name().toLowerCase(Locale.ROOT),
        decision.capacity(),
        decision.reserved(),
        decision.replayed());
  }
}

package dev.seatfast.workshops;

import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;

/** Tells a client that its request had been decided before. */
@Singleton
class Replays {

  private static final String REPLAYED = "Idempotency-Replayed";
  private static final String MISMATCH = "Idempotency-Mismatch";

  private final WorkshopConfig config;

  Replays(WorkshopConfig config) {
    this.config = config;
  }

  /**
   * Adds the headers of a replay to its answer.
   *
   * @param seats that this request asks for
   * @param firstSeats that the first request with this id asked for
   * @throws ApiException {@link ApiError#IDEMPOTENCY_MISMATCH} if they differ and the configuration
   *     refuses that
   */
  Response.ResponseBuilder mark(Response.ResponseBuilder answer, int seats, int firstSeats) {
    answer.header(REPLAYED, "true");
    if (seats != firstSeats) {
      if (config.rejectMismatch()) {
        throw new ApiException(ApiError.IDEMPOTENCY_MISMATCH);
      }
      answer.header(MISMATCH, "seats");
    }
    return answer;
  }
}

package dev.seatfast.operators;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.seatfast.engine.PoolKey;
import dev.seatfast.engine.SeatPools;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.JsonAnswers;
import dev.seatfast.http.Pages;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Answers with pages of the attempts of a workshop. */
@Singleton
class AttemptPages {

  private final Attempts attempts;
  private final SeatPools pools;
  private final boolean available;

  AttemptPages(
      Attempts attempts,
      SeatPools pools,
      @ConfigProperty(name = "quarkus.hibernate-orm.active", defaultValue = "true")
          boolean available) {
    this.attempts = attempts;
    this.pools = pools;
    this.available = available;
  }

  /** One attempt. */
  @RegisterForReflection
  record AttemptView(
      String requestId,
      int seats,
      @Schema(enumeration = {"REJECTED", "HELD", "CONFIRMED", "CANCELLED", "EXPIRED"}) String state,
      Instant decidedAt) {

    static AttemptView of(Attempt attempt) {
      return new AttemptView(attempt.requestId, attempt.seats, attempt.state, attempt.decidedAt);
    }
  }

  /**
   * Some attempts.
   *
   * @param after what to pass on for the next page; null on the last one
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record AttemptPage(List<AttemptView> attempts, @Schema(nullable = true) String after) {

    static AttemptPage of(List<Attempt> page, int size) {
      return new AttemptPage(
          page.stream().map(AttemptView::of).toList(),
          page.size() == size ? AttemptCursor.behind(page.get(size - 1)).text() : null);
    }
  }

  /**
   * Reads a page.
   *
   * @throws ApiException {@link ApiError#INVALID_PAGE}, or {@link ApiError#NOT_FOUND} in a process
   *     that started without Hibernate
   */
  Response list(PoolKey pool, String after, String limit) {
    if (!available) {
      throw new ApiException(ApiError.NOT_FOUND);
    }
    AttemptCursor cursor = AttemptCursor.parse(after);
    int size = Pages.size(limit);
    AttemptPage page = AttemptPage.of(attempts.page(pool, cursor, size), size);
    pools.awaitFlush(pool);
    return JsonAnswers.ok(page);
  }
}

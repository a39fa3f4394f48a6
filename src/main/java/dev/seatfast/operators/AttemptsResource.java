package dev.seatfast.operators;

import static dev.seatfast.http.ApiError.JSON;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.seatfast.engine.PoolKey;
import dev.seatfast.http.JsonAnswers;
import dev.seatfast.http.Pages;
import dev.seatfast.workshops.WorkshopName;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;

/** Lists the attempts of a workshop. */
@Path("/api/workshops/{workshop}/attempts")
@Tag(name = "operators")
@OperatorOnly
@Blocking
public class AttemptsResource {

  private final Attempts attempts;

  AttemptsResource(Attempts attempts) {
    this.attempts = attempts;
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

  @GET
  @Operation(
      operationId = "listAttempts",
      summary = "List the attempts of a workshop by their request id",
      description = "Pass on the after of each page to get the next one.")
  @APIResponse(
      responseCode = "200",
      description = "A page",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = AttemptPage.class)))
  public Response list(
      @RestPath String workshop,
      @RestQuery @DefaultValue("") String after,
      @RestQuery @DefaultValue(Pages.SIZE_DEFAULT) String limit) {
    PoolKey pool = WorkshopName.of(workshop).pool();
    AttemptCursor cursor = AttemptCursor.parse(after);
    int size = Pages.size(limit);
    return JsonAnswers.ok(AttemptPage.of(attempts.page(pool, cursor, size), size));
  }
}

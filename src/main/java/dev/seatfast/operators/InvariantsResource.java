package dev.seatfast.operators;

import static dev.seatfast.http.ApiError.JSON;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.seatfast.engine.InvariantChecker;
import dev.seatfast.engine.InvariantChecker.Disagreement;
import dev.seatfast.http.JsonAnswers;
import dev.seatfast.http.Pages;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;

/** Proves that every pool's counters agree with its attempts, a part of the pools at a time. */
@Path("/internal/invariants")
@Tag(name = "operators")
@OperatorOnly
@Blocking
public class InvariantsResource {

  private static final Duration TIME_MAX = Duration.ofSeconds(10);
  private static final int DISAGREEMENTS_MAX = 100;

  private final InvariantChecker checker;
  private final Clock clock;

  InvariantsResource(InvariantChecker checker, Clock clock) {
    this.checker = checker;
    this.clock = clock;
  }

  /**
   * What a call checked.
   *
   * @param ok whether the pools that it checked agree
   * @param pools how many pools it checked
   * @param attempts how many of their attempts it read
   * @param after what to pass on for the next pools; left out when all are checked
   * @param disagreements pools whose counters disagree with their attempts
   */
  @RegisterForReflection(
      targets = {Invariants.class, Disagreement.class, InvariantChecker.Counts.class})
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Invariants(
      boolean ok,
      long pools,
      long attempts,
      @Schema(nullable = true) String after,
      List<Disagreement> disagreements) {}

  @GET
  @Operation(
      operationId = "checkInvariants",
      summary = "Compare pools' counters with their attempts",
      description =
          "A call checks pools for up to ten seconds. Pass on its after to check the next ones.")
  @APIResponse(
      responseCode = "200",
      description = "The result",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = Invariants.class)))
  public Response check(@RestQuery @DefaultValue("") String after) {
    Pages.checkText(after);
    Instant end = clock.instant().plus(TIME_MAX);
    List<Disagreement> disagreements = new ArrayList<>();
    long pools = 0;
    long attempts = 0;
    String last = after;
    do {
      InvariantChecker.Page page = checker.check(last);
      pools += page.pools();
      attempts += page.attempts();
      disagreements.addAll(page.disagreements());
      last = page.last();
    } while (last != null
        && disagreements.size() < DISAGREEMENTS_MAX
        && clock.instant().isBefore(end));
    return JsonAnswers.ok(
        new Invariants(disagreements.isEmpty(), pools, attempts, last, disagreements));
  }
}

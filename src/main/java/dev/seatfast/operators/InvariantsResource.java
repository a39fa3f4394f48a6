package dev.seatfast.operators;

import static dev.seatfast.http.ApiError.JSON;

import dev.seatfast.engine.InvariantChecker;
import dev.seatfast.engine.InvariantChecker.Disagreement;
import dev.seatfast.http.JsonAnswers;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Proves that every pool's counters agree with its attempts. */
@Path("/internal/invariants")
@Tag(name = "operators")
@OperatorOnly
@Blocking
public class InvariantsResource {

  private final InvariantChecker checker;

  InvariantsResource(InvariantChecker checker) {
    this.checker = checker;
  }

  /**
   * The result of a check.
   *
   * @param disagreements pools whose counters disagree with their attempts; empty if all agree
   */
  @RegisterForReflection(
      targets = {Invariants.class, Disagreement.class, InvariantChecker.Counts.class})
  record Invariants(boolean ok, List<Disagreement> disagreements) {}

  @GET
  @Operation(
      operationId = "checkInvariants",
      summary = "Compare every pool's counters with its attempts")
  @APIResponse(
      responseCode = "200",
      description = "The result",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = Invariants.class)))
  public Response check() {
    List<Disagreement> disagreements = checker.check();
    return JsonAnswers.ok(new Invariants(disagreements.isEmpty(), disagreements));
  }
}

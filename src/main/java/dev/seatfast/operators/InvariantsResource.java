package dev.seatfast.operators;

import dev.seatfast.engine.InvariantChecker;
import dev.seatfast.engine.InvariantChecker.Disagreement;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** Proves that every pool's counters agree with its attempts. */
@Path("/internal/invariants")
@OperatorOnly
@Blocking
public class InvariantsResource {

  private final InvariantChecker checker;

  InvariantsResource(InvariantChecker checker) {
    this.checker = checker;
  }

  /** The pools that disagree; none is what everybody hopes for. */
  @RegisterForReflection(targets = {Disagreement.class, InvariantChecker.Counts.class})
  public record Report(boolean ok, List<Disagreement> disagreements) {}

  @GET
  @Operation(summary = "Compare every pool's counters with its attempts")
  public Report check() {
    List<Disagreement> disagreements = checker.check();
    return new Report(disagreements.isEmpty(), disagreements);
  }
}

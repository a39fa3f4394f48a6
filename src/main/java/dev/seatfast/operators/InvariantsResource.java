package dev.seatfast.operators;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.seatfast.engine.InvariantChecker;
import dev.seatfast.http.Pages;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;

/** Proves that every pool's counters agree with its attempts. */
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
   * @param ok whether all pools agree that it checked
   * @param pools how many it checked
   * @param attempts how many of their attempts it read
   * @param next what to pass as {@code after} to go on; left out when all pools are checked
   * @param disagreements the pools whose counters disagree with their attempts
   */
  @RegisterForReflection(
      targets = {InvariantChecker.Disagreement.class, InvariantChecker.Counts.class})
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Report(
      boolean ok,
      long pools,
      long attempts,
      String next,
      List<InvariantChecker.Disagreement> disagreements) {}

  @GET
  @Operation(
      operationId = "checkInvariants",
      summary = "Compare every pool's counters with its attempts",
      description = "A call checks for ten seconds; go on with after=next until next is left out.")
  public Report check(@RestQuery @DefaultValue("") String after) {
    Pages.checkText(after);
    Instant end = clock.instant().plus(TIME_MAX);
    List<InvariantChecker.Disagreement> disagreements = new ArrayList<>();
    long pools = 0;
    long attempts = 0;
    String next = after;
    do {
      InvariantChecker.Page page = checker.check(next);
      pools += page.pools();
      attempts += page.attempts();
      disagreements.addAll(page.disagreements());
      next = page.last();
    } while (next != null
        && disagreements.size() < DISAGREEMENTS_MAX
        && clock.instant().isBefore(end));
    return new Report(disagreements.isEmpty(), pools, attempts, next, disagreements);
  }
}

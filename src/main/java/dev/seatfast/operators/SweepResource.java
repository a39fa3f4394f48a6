package dev.seatfast.operators;

import static dev.seatfast.http.ApiError.JSON;

import dev.seatfast.access.Audit;
import dev.seatfast.access.Caller;
import dev.seatfast.http.JsonAnswers;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Lets a platform's scheduler sweep, where no process lives long enough for a timer. */
@Path("/internal/sweep")
@Tag(name = "operators")
@OperatorOnly
@Blocking
public class SweepResource {

  private final SweepRunner runner;
  private final Audit audit;

  SweepResource(SweepRunner runner, Audit audit) {
    this.runner = runner;
    this.audit = audit;
  }

  /**
   * What a sweep did.
   *
   * @param seats that it gave back
   * @param done whether no expired hold is left; if not, call again
   */
  @RegisterForReflection
  record Swept(long seats, boolean done) {}

  @POST
  @Operation(operationId = "sweep", summary = "Mark expired holds")
  @APIResponse(
      responseCode = "200",
      description = "The result",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = Swept.class)))
  public Response sweep(@Context RoutingContext context) {
    Caller caller = Caller.of(context);
    SweepRunner.Result result =
        runner.run(
            (session, seats) ->
                audit.record(
                    session, caller, Audit.Action.SWEPT, "pools", null, seats + " seats freed"));
    return JsonAnswers.ok(new Swept(result.seats(), result.done()));
  }
}

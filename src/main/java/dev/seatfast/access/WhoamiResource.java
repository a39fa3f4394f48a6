package dev.seatfast.access;

import static dev.seatfast.http.ApiError.JSON;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.seatfast.http.JsonAnswers;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Tells callers whom the service takes them for, so that they can try a credential. */
@Path("/api/whoami")
@Tag(name = "access")
@NonBlocking
public class WhoamiResource {

  /**
   * Whose credential came with the request; never the credential.
   *
   * @param name as the audit calls it; {@code anybody} where no credential is needed
   * @param tenant left out if it has none
   * @param userId the only user whom it acts for; left out if it may act for every user
   * @param scopes in alphabetical order
   * @param expiresAt left out if it does not end by itself
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Whoami(
      String name,
      @Schema(nullable = true) String tenant,
      @Schema(nullable = true) String userId,
      List<String> scopes,
      @Schema(nullable = true) Instant expiresAt) {

    static Whoami of(Caller caller) {
      return new Whoami(
          caller.name(),
          caller.tenant().orElse(null),
          caller.userId().orElse(null),
          caller.scopes().stream().map(Scope::code).sorted().toList(),
          caller.expiresAt().orElse(null));
    }
  }

  @GET
  @Operation(operationId = "whoami", summary = "Tell whose credential this is")
  @APIResponse(
      responseCode = "200",
      description = "Its caller",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = Whoami.class)))
  public Response whoami(@Context RoutingContext context) {
    return JsonAnswers.ok(Whoami.of(Caller.of(context)));
  }
}

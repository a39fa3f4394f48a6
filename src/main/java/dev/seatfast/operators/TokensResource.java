package dev.seatfast.operators;

import static dev.seatfast.http.ApiError.JSON;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.seatfast.access.ApiToken;
import dev.seatfast.access.ApiTokens;
import dev.seatfast.access.Caller;
import dev.seatfast.access.Scope;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.JsonAnswers;
import dev.seatfast.http.JsonBodies;
import dev.seatfast.http.Pages;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;

/** Makes, lists and revokes API tokens. */
@Path("/internal/tokens")
@Tag(name = "operators")
@OperatorOnly
@Blocking
public class TokensResource {

  private final ApiTokens tokens;
  private final Clock clock;

  TokensResource(ApiTokens tokens, Clock clock) {
    this.tokens = tokens;
    this.clock = clock;
  }

  /**
   * A token without its secret.
   *
   * @param id what the token has after {@code sf_}
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record TokenView(
      String id,
      @Schema(nullable = true) String tenant,
      @Schema(nullable = true) String userId,
      List<String> scopes,
      String note,
      Instant createdAt,
      @Schema(nullable = true) Instant expiresAt,
      @Schema(nullable = true) Instant revokedAt) {

    static TokenView of(ApiToken token) {
      return new TokenView(
          token.id(),
          token.grant().tenant().orElse(null),
          token.grant().userId().orElse(null),
          token.grant().scopes().stream().map(Scope::code).sorted().toList(),
          token.grant().note(),
          token.createdAt(),
          token.grant().expiresAt().orElse(null),
          token.revokedAt().orElse(null));
    }
  }

  /**
   * A token that was just made.
   *
   * @param token the secret, which is shown only now
   */
  @RegisterForReflection
  record CreatedToken(String token, TokenView description) {}

  /**
   * Some tokens.
   *
   * @param after what to pass on for the next page; left out on the last one
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record TokenPage(List<TokenView> tokens, @Schema(nullable = true) String after) {}

  @POST
  @Operation(
      operationId = "createToken",
      summary = "Make an API token",
      description =
          "The answer shows it once. It can allow nothing that its maker may not do as well.")
  @RequestBody(
      content = @Content(mediaType = JSON, schema = @Schema(implementation = TokenRequest.class)))
  @APIResponse(
      responseCode = "201",
      description = "Made",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = CreatedToken.class)))
  @APIResponse(responseCode = "403", ref = "Forbidden")
  public Response create(@Context RoutingContext context) {
    ApiToken.Grant grant = TokenRequest.grant(JsonBodies.of(context), clock.instant());
    ApiTokens.Created created =
        tokens
            .create(Caller.of(context), grant)
            .orElseThrow(() -> new ApiException(ApiError.FORBIDDEN));
    return JsonAnswers.of(
            Response.Status.CREATED,
            new CreatedToken(created.text(), TokenView.of(created.token())))
        .build();
  }

  @GET
  @Operation(
      operationId = "listTokens",
      summary = "List API tokens without their secrets",
      description = "Those of the caller's tenant. Pass on the after of each page.")
  @APIResponse(
      responseCode = "200",
      description = "A page",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = TokenPage.class)))
  public Response list(
      @RestQuery @DefaultValue("") String after,
      @RestQuery @DefaultValue(Pages.SIZE_DEFAULT) String limit,
      @Context RoutingContext context) {
    Pages.checkText(after);
    int size = Pages.size(limit);
    List<TokenView> page =
        tokens.page(Caller.of(context), after, size).stream().map(TokenView::of).toList();
    return JsonAnswers.ok(new TokenPage(page, page.size() < size ? null : page.get(size - 1).id()));
  }

  @POST
  @Path("/{id}/revoke")
  @Operation(
      operationId = "revokeToken",
      summary = "Revoke an API token for good",
      description = "No instance accepts it 30 seconds later. Revoking twice is revoking once.")
  @APIResponse(
      responseCode = "200",
      description = "Revoked, now or before",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = TokenView.class)))
  @APIResponse(responseCode = "404", ref = "NotFound")
  public Response revoke(@RestPath String id, @Context RoutingContext context) {
    if (!ApiToken.isId(id)) {
      throw new ApiException(ApiError.INVALID_TOKEN_ID);
    }
    return JsonAnswers.ok(
        TokenView.of(
            tokens
                .revoke(Caller.of(context), id)
                .orElseThrow(() -> new ApiException(ApiError.NOT_FOUND))));
  }
}

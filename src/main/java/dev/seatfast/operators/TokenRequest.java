package dev.seatfast.operators;

import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.access.ApiToken;
import dev.seatfast.access.Scope;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.Texts;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Asks for an API token.
 *
 * @param tenant whose workshops and slots it opens; left out for what belongs to no tenant
 * @param userId the only user whom it acts for; left out for every user
 * @param expiresAt when it ends by itself; left out if it does not
 * @param note for people
 */
record TokenRequest(
    @Schema(
            enumeration = {
              "reserve",
              "hold",
              "read",
              "operate",
              "events",
              "tokens",
              "act-for",
              "any-tenant"
            })
        List<String> scopes,
    @Schema(ref = "Text", nullable = true) String tenant,
    @Schema(ref = "Text", nullable = true) String userId,
    @Schema(nullable = true) Instant expiresAt,
    @Schema(nullable = true, maxLength = ApiToken.NOTE_LENGTH_MAX) String note) {

  /** Also the largest year that is written with four digits. */
  private static final Instant EXPIRES_AT_MAX = Instant.parse("9999-01-01T00:00:00Z");

  /**
   * Reads what the token shall allow from a body.
   *
   * @param now the time that {@code expiresAt} must be after
   * @throws ApiException {@link ApiError#INVALID_TOKEN_REQUEST} if a field is wrong
   */
  static ApiToken.Grant grant(JsonNode body, Instant now) {
    String note = text(body, "note").orElse("");
    if (!body.isObject() || note.codePointCount(0, note.length()) > ApiToken.NOTE_LENGTH_MAX) {
      throw invalid();
    }
    return new ApiToken.Grant(
        text(body, "tenant").map(TokenRequest::checked),
        text(body, "userId").map(TokenRequest::checked),
        scopes(body.path("scopes")),
        text(body, "expiresAt").map(text -> future(text, now)),
        note);
  }

  private static Set<Scope> scopes(JsonNode array) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    array.forEach(
        code ->
            scopes.add(
                Optional.ofNullable(code.textValue())
                    .flatMap(Scope::of)
                    .orElseThrow(TokenRequest::invalid)));
    if (!array.isArray() || scopes.isEmpty()) {
      throw invalid();
    }
    return scopes;
  }

  private static Optional<String> text(JsonNode body, String field) {
    JsonNode value = body.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isTextual() || !Texts.isClean(value.textValue())) {
      throw invalid();
    }
    return Optional.of(value.textValue());
  }

  private static String checked(String text) {
    return Texts.check(text, ApiError.INVALID_TOKEN_REQUEST);
  }

  private static Instant future(String text, Instant now) {
    try {
      Instant time = Instant.parse(text);
      if (time.isAfter(now) && time.isBefore(EXPIRES_AT_MAX)) {
        return time;
      }
    } catch (DateTimeException e) {
      // Said below, like a time in the past.
    }
    throw invalid();
  }

  private static ApiException invalid() {
    return new ApiException(ApiError.INVALID_TOKEN_REQUEST);
  }
}

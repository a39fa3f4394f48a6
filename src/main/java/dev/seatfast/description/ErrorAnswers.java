package dev.seatfast.description;

import dev.seatfast.http.ApiError;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.headers.Header;
import org.eclipse.microprofile.openapi.models.media.Content;
import org.eclipse.microprofile.openapi.models.media.MediaType;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.responses.APIResponses;

/**
 * Describes the errors once, and lets the operations refer to them. There is one answer for each
 * status of {@link ApiError}, under the name that HTTP gives to the status.
 */
final class ErrorAnswers {

  /** Answers of every operation that needs the database. */
  private static final List<Integer> OF_ALL = List.of(400, 405, 410, 500, 503);

  /** Answers of every operation that reads a body. */
  private static final List<Integer> OF_BODIES = List.of(408, 413, 415);

  /** The one operation that goes on when the namespace is deleted. */
  private static final String HEALTH = "readHealth";

  private static final String NOT_RESERVED = "NotReserved";
  private static final String REPLAYED = "Idempotency-Replayed";
  private static final String MISMATCH = "Idempotency-Mismatch";

  private ErrorAnswers() {}

  static void add(OpenAPI description) {
    addSchemas(description);
    addHeaders(description);
    Arrays.stream(ApiError.values())
        .collect(Collectors.groupingBy(ApiError::status))
        .forEach(
            (status, errors) ->
                description.getComponents().addResponse(name(status), answer(status, errors)));
    description
        .getComponents()
        .addResponse(
            "Refused",
            OASFactory.createAPIResponse()
                .description("Nothing was held or changed, for this reason")
                .content(json(ref("Refusal"))));
    Operations.of(description)
        .filter(operation -> !operation.getOperationId().equals(HEALTH))
        .forEach(operation -> addTo(description, operation));
    removeUnused(description);
  }

  /** Some errors, such as that a media type is not acceptable, no route has. */
  private static void removeUnused(OpenAPI description) {
    Set<String> used =
        Operations.of(description)
            .flatMap(operation -> operation.getResponses().getAPIResponses().values().stream())
            .filter(answer -> answer.getRef() != null)
            .map(answer -> answer.getRef().replaceFirst(".*/", ""))
            .collect(Collectors.toSet());
    Set.copyOf(description.getComponents().getResponses().keySet()).stream()
        .filter(name -> !used.contains(name))
        .forEach(description.getComponents()::removeResponse);
  }

  private static void addTo(OpenAPI description, Operation operation) {
    APIResponses answers = operation.getResponses();
    APIResponse conflict = answers.getAPIResponse("409");
    if (conflict != null && conflict.getRef() == null) {
      orError(description, conflict);
    }
    // Whatever may answer that a request differs from the first one with its id may replay it.
    if (answers.hasAPIResponse("422")) {
      for (String decided : Set.of("200", "201", "409")) {
        if (answers.hasAPIResponse(decided)) {
          addReplayHeaders(answers.getAPIResponse(decided));
        }
      }
    }
    OF_ALL.forEach(status -> addTo(answers, status));
    if (operation.getRequestBody() != null) {
      OF_BODIES.forEach(status -> addTo(answers, status));
    }
  }

  /** A rejection shares its status with errors, such as that booking is not open. */
  private static void orError(OpenAPI description, APIResponse rejection) {
    MediaType json = rejection.getContent().getMediaType(ApiError.JSON);
    if (!description.getComponents().getSchemas().containsKey(NOT_RESERVED)) {
      description
          .getComponents()
          .addSchema(
              NOT_RESERVED,
              OASFactory.createSchema().oneOf(List.of(json.getSchema(), ref("Error"))));
    }
    json.setSchema(ref(NOT_RESERVED));
    rejection
        .getContent()
        .addMediaType(ApiError.PROBLEM_JSON, OASFactory.createMediaType().schema(ref("Problem")));
  }

  private static void addTo(APIResponses answers, int status) {
    answers.addAPIResponse(
        Integer.toString(status), OASFactory.createAPIResponse().ref(name(status)));
  }

  private static void addReplayHeaders(APIResponse answer) {
    if (answer.getRef() == null) {
      answer.addHeader(REPLAYED, OASFactory.createHeader().ref(REPLAYED));
      answer.addHeader(MISMATCH, OASFactory.createHeader().ref(MISMATCH));
    }
  }

  private static String name(int status) {
    return HttpResponseStatus.valueOf(status).reasonPhrase().replace(" ", "");
  }

  private static APIResponse answer(int status, List<ApiError> errors) {
    if (errors.contains(ApiError.CLEANUP)) {
      return OASFactory.createAPIResponse()
          .description("The namespace is deleted for good")
          .content(json(ref("Deleted")));
    }
    String codes =
        errors.stream()
            .map(error -> "- `" + error.code() + "`: " + error.title())
            .collect(Collectors.joining("\n"));
    APIResponse answer =
        OASFactory.createAPIResponse()
            .description(codes)
            .content(
                json(ref("Error"))
                    .addMediaType(
                        ApiError.PROBLEM_JSON,
                        OASFactory.createMediaType().schema(ref("Problem"))));
    if (status == 405) {
      answer.addHeader("Allow", header("The methods that the route has", string()));
    }
    if (errors.stream().anyMatch(error -> error.retryAfterSeconds() > 0)) {
      answer.addHeader(
          "Retry-After",
          header("Seconds to wait before sending the same request again", integer()));
    }
    return answer;
  }

  private static void addSchemas(OpenAPI description) {
    Schema code = string();
    Arrays.stream(ApiError.values())
        .filter(error -> error != ApiError.CLEANUP)
        .forEach(error -> code.addEnumeration(error.code()));
    description
        .getComponents()
        .addSchema("ErrorCode", code)
        .addSchema(
            "Error",
            withOpening(object().addProperty("error", ref("ErrorCode"))).addRequired("error"))
        .addSchema(
            "Problem",
            withOpening(
                    object()
                        .description(
                            "A problem of RFC 9457, for a client that accepts its media type")
                        .addProperty("type", string())
                        .addProperty("title", string())
                        .addProperty("status", integer())
                        .addProperty("code", ref("ErrorCode")))
                .required(List.of("type", "title", "status", "code")))
        .addSchema(
            "Deleted",
            object()
                .addProperty("status", string().addEnumeration(ApiError.CLEANUP.code()))
                .addRequired("status"));
  }

  private static Schema withOpening(Schema error) {
    return error
        .addProperty("opensAt", time("From when on seats can be taken, if booking is not open"))
        .addProperty("closesAt", time("Until when seats can be taken, if booking is not open"));
  }

  private static Schema time(String description) {
    return string().format("date-time").description(description);
  }

  private static void addHeaders(OpenAPI description) {
    description
        .getComponents()
        .addHeader(
            REPLAYED,
            header("There if the request had been decided before", string().addEnumeration("true")))
        .addHeader(
            MISMATCH,
            header(
                "There if the first request with this id differed in this field",
                string().addEnumeration("seats")));
  }

  private static Header header(String description, Schema schema) {
    return OASFactory.createHeader().description(description).schema(schema);
  }

  private static Content json(Schema schema) {
    return OASFactory.createContent()
        .addMediaType(ApiError.JSON, OASFactory.createMediaType().schema(schema));
  }

  private static Schema ref(String name) {
    return OASFactory.createSchema().ref(name);
  }

  private static Schema object() {
    return OASFactory.createSchema().addType(SchemaType.OBJECT);
  }

  private static Schema string() {
    return OASFactory.createSchema().addType(SchemaType.STRING);
  }

  private static Schema integer() {
    return OASFactory.createSchema().addType(SchemaType.INTEGER).format("int32");
  }
}

package dev.seatfast.http;

import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.Map;

/**
 * Every error that a client can get. The codes are part of the contract; the titles are for people.
 */
public enum ApiError {
  INVALID_WORKSHOP_NAME(400, "The workshop name does not match " + Limits.WORKSHOP_NAME),
  INVALID_JSON(400, "The body is not JSON in UTF-8"),
  INVALID_RESERVATION(
      400,
      "requestId must match "
          + Limits.REQUEST_ID
          + " and seats be an integer from 1 to "
          + Limits.SEATS_MAX),
  INVALID_TENANT_ID(400, "tenantId" + ApiError.IS_NO_TEXT),
  INVALID_RESOURCE_ID(400, "resourceId" + ApiError.IS_NO_TEXT),
  INVALID_SLOT_START(400, "slotStartIso must be a date and time with an offset or Z"),
  INVALID_USER_ID(400, "userId" + ApiError.IS_NO_TEXT),
  INVALID_IDEMPOTENCY_KEY(400, "idempotencyKey" + ApiError.IS_NO_TEXT),
  INVALID_RESERVATION_ID(400, "reservationId" + ApiError.IS_NO_TEXT),
  INVALID_SLOTS(400, "slots must be 1 to " + Limits.SLOTS_MAX + " different slots"),
  INVALID_RANGE(400, "from and to must be dates and times with an offset or Z, from before to"),
  INVALID_CAPACITY(400, "capacity must be an integer from 0 to " + Limits.CAPACITY_MAX),
  INVALID_WORKSHOPS(
      400, "workshops must be 1 to " + Limits.WORKSHOPS_MAX + " names with commas between them"),
  INVALID_OPENING(
      400,
      "opensAt and closesAt must be dates and times with an offset or Z, the first before the second,"
          + " and paused true or false"),
  INVALID_PAGE(
      400,
      "limit must be an integer from 1 to "
          + Limits.PAGE_SIZE_MAX
          + ", after what the page before gave"),
  INVALID_TOKEN_ID(400, "A token's id has 12 letters and digits"),
  INVALID_TOKEN_REQUEST(
      400,
      "scopes must be known ones, tenant and userId of 1 to 128 characters, expiresAt in the future,"
          + " note of up to 200 characters"),
  UNAUTHORIZED(401, "A valid credential is needed"),
  FORBIDDEN(403, "This credential does not allow that"),
  NOT_FOUND(404, "There is nothing here"),
  METHOD_NOT_ALLOWED(405, "This method is not allowed here"),
  NOT_ACCEPTABLE(406, "None of the media types asked for is available"),
  REQUEST_TIMEOUT(408, "The body took too long to arrive"),
  CAPACITY_BELOW_RESERVED(409, "More seats are taken than the new capacity has"),
  NOT_OPEN(409, "Booking is not open yet"),
  CLOSED(409, "Booking is closed"),
  PAUSED(409, "Booking is paused"),
  /** Of every route, once the namespace is deleted; its body has a form of its own. */
  CLEANUP(410, "The namespace is deleted"),
  BODY_TOO_LARGE(413, "The body is larger than " + Limits.BODY_KIB_MAX + " KiB"),
  URI_TOO_LONG(414, "The request line is too long"),
  UNSUPPORTED_MEDIA_TYPE(415, "This media type is not supported"),
  IDEMPOTENCY_MISMATCH(422, "This request id was first used with other seats"),
  TOO_MANY_REQUESTS(429, "Too many requests; wait a little"),
  HEADERS_TOO_LARGE(431, "The headers are too large"),
  BAD_REQUEST(400, "The request is not valid"),
  INTERNAL_ERROR(500, "Something went wrong here"),
  OVERLOADED(503, "Too many requests are waiting; send the same request again"),
  UNAVAILABLE(503, "The outcome is unknown; send the same request again to find out"),
  HTTP_VERSION_NOT_SUPPORTED(505, "The versions of HTTP here are 1.0, 1.1 and 2");

  private static final String IS_NO_TEXT =
      " must be a string of 1 to "
          + Limits.TEXT_LENGTH_MAX
          + " characters without control characters";

  /** The media type of a plain error. */
  public static final String JSON = "application/json";

  /** The media type of RFC 9457. */
  public static final String PROBLEM_JSON = "application/problem+json";

  private static final int RETRY_AFTER_SECONDS = 1;

  private final int status;
  private final String title;

  ApiError(int status, String title) {
    this.status = status;
    this.title = title;
  }

  /** The error for a status from 400 to 499 that a library chose. */
  static ApiError ofClientError(int status) {
    return switch (status) {
      case 404 -> NOT_FOUND;
      case 405 -> METHOD_NOT_ALLOWED;
      case 406 -> NOT_ACCEPTABLE;
      case 413 -> BODY_TOO_LARGE;
      case 415 -> UNSUPPORTED_MEDIA_TYPE;
      default -> BAD_REQUEST;
    };
  }

  public int status() {
    return status;
  }

  /** The word that programs look at. */
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** One sentence for people. */
  public String title() {
    return title;
  }

  /** Seconds for a {@code Retry-After} header, or 0 if waiting would not help. */
  public int retryAfterSeconds() {
    return status == 503 || this == TOO_MANY_REQUESTS ? RETRY_AFTER_SECONDS : 0;
  }

  /** What a client that sent this {@code Accept} header, or none, gets to read. */
  public String mediaType(String accept) {
    return this != CLEANUP && accept != null && accept.contains(PROBLEM_JSON) ? PROBLEM_JSON : JSON;
  }

  /** The body in one of the two media types. */
  public String body(String mediaType) {
    return body(mediaType, Map.of());
  }

  /**
   * The body in one of the two media types.
   *
   * @param members what else the client needs to know, by the names of the fields
   */
  String body(String mediaType, Map<String, ?> members) {
    if (this == CLEANUP) {
      return new JsonObject().put("status", code()).encode();
    }
    JsonObject body =
        mediaType.equals(PROBLEM_JSON)
            ? new JsonObject()
                .put("type", "about:blank")
                .put("title", title)
                .put("status", status)
                .put("code", code())
            : new JsonObject().put("error", code());
    members.forEach(body::put);
    return body.encode();
  }
}

package dev.holdfast.platform;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** Errors that are found before a request reaches Jakarta REST. */
@ApplicationScoped
public class HttpErrors {

  /** Of the filters that guard a fixed contract: before anything else sees the request. */
  public static final int DOOR_PRIORITY = 10_000;

  /** Gives requests that the server itself refuses, such as a malformed path, our form of error. */
  void register(@Observes Router router) {
    router.errorHandler(400, context -> end(context, ApiError.BAD_REQUEST));
    router.errorHandler(404, context -> end(context, ApiError.NOT_FOUND));
    router.errorHandler(405, context -> end(context, ApiError.METHOD_NOT_ALLOWED));
  }

  /** Answers a request with an error, and reads no more of it. */
  public static void end(RoutingContext context, ApiError error) {
    HttpServerResponse response = context.response();
    if (response.ended()) {
      return;
    }
    String mediaType = ApiError.mediaType(context.request().getHeader(HttpHeaders.ACCEPT));
    response.setStatusCode(error.status()).putHeader(HttpHeaders.CONTENT_TYPE, mediaType);
    if (error == ApiError.BODY_TOO_LARGE) {
      response.putHeader(HttpHeaders.CONNECTION, "close"); // instead of reading it to its end
    }
    response.end(error.body(mediaType));
  }
}

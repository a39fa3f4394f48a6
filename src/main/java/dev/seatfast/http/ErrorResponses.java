package dev.seatfast.http;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** Errors that are found before a request reaches Jakarta REST. */
@ApplicationScoped
public class ErrorResponses {

  /** Of the filters that guard a fixed contract: before anything else sees the request. */
  public static final int DOOR_PRIORITY = 10_000;

  /** Gives requests that the server itself refuses, such as a malformed path, our form of error. */
  void register(@Observes Router router) {
    router.errorHandler(400, context -> end(context, ApiError.BAD_REQUEST));
    router.errorHandler(404, context -> end(context, ApiError.NOT_FOUND));
    router.errorHandler(405, context -> end(context, ApiError.METHOD_NOT_ALLOWED));
  }

  /**
   * Jakarta REST ignores parameters inside a path, so that what the doors let pass as one path
   * might reach the route of another. No route of ours has any.
   */
  void registerDoor(@Observes Filters filters) {
    filters.register(
        context -> {
          if (context.request().path().indexOf(';') >= 0) {
            end(context, ApiError.NOT_FOUND);
          } else {
            context.next();
          }
        },
        DOOR_PRIORITY + 1);
  }

  /** Answers a request with an error; one that is still arriving is not read to its end. */
  public static void end(RoutingContext context, ApiError error) {
    HttpServerResponse response = context.response();
    if (response.ended()) {
      return;
    }
    String mediaType = error.mediaType(context.request().getHeader(HttpHeaders.ACCEPT));
    response.setStatusCode(error.status()).putHeader(HttpHeaders.CONTENT_TYPE, mediaType);
    if (context.request().isEnded()) {
      response.end(error.body(mediaType));
    } else {
      // The rest of the body is of no interest, and must not be taken for another request.
      response.putHeader(HttpHeaders.CONNECTION, "close");
      response.end(error.body(mediaType));
      context.request().connection().close(); // after what was written before
    }
  }
}

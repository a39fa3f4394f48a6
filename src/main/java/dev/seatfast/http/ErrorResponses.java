package dev.seatfast.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import org.jboss.logging.Logger;

/** Errors of requests that do not reach Jakarta REST. */
@ApplicationScoped
public class ErrorResponses {

  private static final Logger LOG = Logger.getLogger(ErrorResponses.class);

  /** Before the handler of Quarkus, which is the last one and would write a page. */
  private static final int BEFORE_QUARKUS = Integer.MAX_VALUE - 1;

  /** Gives requests that the router itself refuses, or fails to handle, our form of error. */
  void register(@Observes Router router) {
    router.route().order(BEFORE_QUARKUS).failureHandler(ErrorResponses::fail);
    router.errorHandler(400, context -> end(context, ApiError.BAD_REQUEST));
    router.errorHandler(404, context -> end(context, ApiError.NOT_FOUND));
    router.errorHandler(405, context -> end(context, ApiError.METHOD_NOT_ALLOWED));
  }

  private static void fail(RoutingContext context) {
    int status = context.statusCode();
    Throwable failure = context.failure();
    if (status >= 400 && status < 500) {
      LOG.debugf("Refused a request: %s", failure == null ? status : failure.getMessage());
      end(context, ApiError.ofClientError(status));
    } else {
      if (failure instanceof IOException) {
        LOG.debug("A client went away", failure);
      } else {
        LOG.error("A request failed for a reason of ours", failure);
      }
      end(context, ApiError.INTERNAL_ERROR);
    }
  }

  /** Answers a request with an error; one that is still arriving is not read to its end. */
  public static void end(RoutingContext context, ApiError error) {
    HttpServerResponse response = context.response();
    if (response.ended() || response.headWritten()) {
      return;
    }
    UnreadBody.abandon(context);
    String mediaType = error.mediaType(context.request().getHeader(HttpHeaders.ACCEPT));
    Buffer body = Buffer.buffer(error.body(mediaType));
    SecurityHeaders.addTo(response);
    if (error.retryAfterSeconds() > 0 && !response.headers().contains(HttpHeaders.RETRY_AFTER)) {
      response.putHeader(HttpHeaders.RETRY_AFTER, Integer.toString(error.retryAfterSeconds()));
    }
    response
        .setStatusCode(error.status())
        .putHeader(HttpHeaders.CONTENT_TYPE, mediaType)
        .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()));
    if (context.request().method() == HttpMethod.HEAD) {
      response.end(); // over HTTP/2, Vert.x would send a body
    } else {
      response.end(body);
    }
  }
}

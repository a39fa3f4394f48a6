package dev.seatfast.http;

import io.netty.handler.codec.http2.Http2Error;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;

/** What becomes of a body that nobody is going to read, because the answer is known without it. */
final class UnreadBody {

  private static final String NONE = "0";

  /** How long a client may take to notice the answer, while what it sends is dropped. */
  private static final int LINGER_MS = 1_000;

  private UnreadBody() {}

  /**
   * Ends the connection, or the stream of HTTP/2, after the answer to a request whose body is still
   * arriving then: its rest could go on for ever.
   */
  static void abandon(RoutingContext context) {
    HttpServerRequest request = context.request();
    if (request.isEnded()) {
      return;
    }
    if (request.version() == HttpVersion.HTTP_2) {
      // Does nothing if the request has ended, as it does just now if it has no body.
      later(context, () -> context.response().reset(Http2Error.NO_ERROR.code()));
    } else if (hasBody(request)) {
      context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
      later(context, request.connection()::close);
    }
  }

  private static void later(RoutingContext context, Runnable end) {
    context.addEndHandler(answered -> context.vertx().setTimer(LINGER_MS, late -> end.run()));
  }

  private static boolean hasBody(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return length == null
        ? request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
        : !length.equals(NONE);
  }
}

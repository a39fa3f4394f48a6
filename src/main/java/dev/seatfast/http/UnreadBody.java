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
   * arriving then: its rest could go on for ever. {@link dev.seatfast.http.wire.Http1Guard} closes
   * a connection of HTTP/1.x earlier, once the client has had time to see the answer.
   */
  static void abandon(RoutingContext context) {
    HttpServerRequest request = context.request();
    if (request.isEnded()) {
      return;
    }
    if (request.version() != HttpVersion.HTTP_2) {
      if (hasBody(request)) {
        context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        context.addEndHandler(
            ended -> context.vertx().setTimer(LINGER_MS, late -> request.connection().close()));
      }
      return;
    }
    // The end of a request without a body is known only after its headers. It makes this a no-op.
    context.addEndHandler(
        ended ->
            context
                .vertx()
                .setTimer(LINGER_MS, late -> context.response().reset(Http2Error.NO_ERROR.code())));
  }

  private static boolean hasBody(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return length == null
        ? request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
        : !length.equals(NONE);
  }
}

package dev.seatfast.http;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.util.Attribute;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;

/** What becomes of a body that nobody is going to read, because the answer is known without it. */
final class UnreadBody {

  private static final String NONE = "0";

  /** How long a client may take to notice the answer, while what it sends is dropped. */
  private static final int LINGER_MS = 1_000;

  /** Set on a connection whose last answer is known. */
  private static final AttributeKey<Boolean> ENDING =
      AttributeKey.valueOf(UnreadBody.class, "ending");

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
      ending(request).set(true);
      context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
      later(context, request.connection()::close);
    }
  }

  /**
   * Whether the connection ends with the answer to an earlier request. A request that came behind
   * that one must not be processed (RFC 9112, section 9.6): its client would not see the answer.
   */
  static boolean isBehindTheLastAnswer(HttpServerRequest request) {
    return request.version() != HttpVersion.HTTP_2 && Boolean.TRUE.equals(ending(request).get());
  }

  private static Attribute<Boolean> ending(HttpServerRequest request) {
    return ((ConnectionBase) request.connection()).channel().attr(ENDING);
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

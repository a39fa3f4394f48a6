package dev.seatfast.http;

import io.smallrye.common.annotation.NonBlocking;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.ext.Provider;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestFilter;

/**
 * Reads the whole body of a request whose route is known, without blocking, and within limits of
 * size and time. {@link JsonBodies} parses it.
 *
 * <p>Inside Jakarta REST, which pauses every request that it gets: one of HTTP/2 can't be paused
 * any more once it was read.
 */
@Provider
@NonBlocking
@Priority(Priorities.ENTITY_CODER)
public class BodyFilter implements ResteasyReactiveContainerRequestFilter {

  /** The largest body that is read, in bytes. */
  public static final int BYTES_MAX = Limits.BODY_KIB_MAX * 1024;

  /** The longest that a body may take to arrive, in milliseconds. */
  private static final int TIME_MS_MAX = 10_000;

  @Override
  public void filter(ResteasyReactiveContainerRequestContext exchange) {
    RoutingContext context =
        ((ResteasyReactiveRequestContext) exchange.getServerRequestContext())
            .unwrap(RoutingContext.class);
    HttpServerRequest request = context.request();
    if (request.method() != HttpMethod.POST && request.method() != HttpMethod.PUT) {
      return;
    }
    if (announcedBytes(request) > BYTES_MAX) {
      UnreadBody.abandon(context);
      throw new ApiException(ApiError.BODY_TOO_LARGE);
    }
    exchange.suspend();
    new Reading(context, exchange).begin();
  }

  private static long announcedBytes(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return length == null ? 0 : Long.parseLong(length); // Netty refused anything but a number
  }

  /** One body on its way. All of it happens on the thread of its connection. */
  private static final class Reading {

    private final RoutingContext context;
    private final HttpServerRequest request;
    private final ResteasyReactiveContainerRequestContext exchange;
    private final Buffer body = Buffer.buffer();
    private long timer;
    private boolean over;

    Reading(RoutingContext context, ResteasyReactiveContainerRequestContext exchange) {
      this.context = context;
      this.request = context.request();
      this.exchange = exchange;
    }

    void begin() {
      timer = context.vertx().setTimer(TIME_MS_MAX, late -> refuse(ApiError.REQUEST_TIMEOUT));
      request.exceptionHandler(lost -> refuse(ApiError.BAD_REQUEST));
      request.handler(this::append);
      request.endHandler(end -> finish());
      request.resume();
    }

    private void append(Buffer chunk) {
      if (over) {
        return;
      }
      body.appendBuffer(chunk);
      if (body.length() > BYTES_MAX) {
        refuse(ApiError.BODY_TOO_LARGE);
      }
    }

    private void finish() {
      if (end()) {
        JsonBodies.put(context, body);
        exchange.resume();
      }
    }

    private void refuse(ApiError error) {
      if (end()) {
        UnreadBody.abandon(context);
        exchange.resume(new ApiException(error));
      }
    }

    /** False if it was over before. */
    private boolean end() {
      if (over) {
        return false;
      }
      over = true;
      context.vertx().cancelTimer(timer);
      return true;
    }
  }
}

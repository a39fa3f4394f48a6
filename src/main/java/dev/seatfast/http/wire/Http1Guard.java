package dev.seatfast.http.wire;

import dev.seatfast.http.ApiError;
import dev.seatfast.http.SecurityHeaders;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Refuses what is no proper request of HTTP/1.x: answers it with an error in our form and ends the
 * connection. It also ends it after any other answer that says {@code Connection: close}. Whatever
 * comes later on the same connection is dropped unread.
 *
 * <p>Requests may come before the answers to earlier ones have left. The refusal waits for those
 * answers, as a client tells answers apart by their order alone.
 */
final class Http1Guard extends ChannelDuplexHandler {

  private static final Logger LOG = Logger.getLogger(Http1Guard.class);

  /**
   * How long the connection is still read after its last answer. To close it with bytes unread
   * would reset it, and the client might never see the answer.
   */
  private static final int LINGER_MS = 1_000;

  /** Requests that were passed on and whose answers did not leave completely. */
  private int unanswered;

  /** The answer to the oldest of them has begun to leave. */
  private boolean answering;

  /** That answer is the last one. */
  private boolean closing;

  /** Null as long as all is well. */
  private Refusal refusal;

  /** The last answer has left. */
  private boolean over;

  /**
   * An error that is to be sent.
   *
   * @param mediaType in which
   * @param after the number of requests that are unanswered then: 1 if the refused one was already
   *     passed on, because only its body is broken
   */
  private record Refusal(ApiError error, String mediaType, int after) {}

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!over && refusal == null) {
      check(context, message);
    }
    if (over || refusal != null) {
      ReferenceCountUtil.release(message);
    } else {
      context.fireChannelRead(message);
    }
  }

  private void check(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest request) {
      Http1Rules.ignoreUnclearUpgrade(request);
      Http1Rules.violation(request)
          .ifPresentOrElse(
              error -> {
                String accept = request.headers().get(HttpHeaderNames.ACCEPT);
                refuse(context, new Refusal(error, error.mediaType(accept), 0));
              },
              () -> unanswered++);
    } else if (message instanceof HttpContent content && content.decoderResult().isFailure()) {
      refuse(context, new Refusal(ApiError.BAD_REQUEST, ApiError.JSON, 1));
    }
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (!(message instanceof HttpObject) || isInterim(message)) {
      context.write(message, promise);
    } else if (over) {
      ReferenceCountUtil.release(message);
      promise.tryFailure(new ClosedChannelException());
    } else {
      writeAnswer(context, message, promise);
    }
  }

  private static boolean isInterim(Object message) {
    return message instanceof HttpResponse response
        && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }

  private void writeAnswer(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof HttpResponse response) {
      closing =
          response
              .headers()
              .containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true);
    }
    answering = !(message instanceof LastHttpContent);
    if (!answering) {
      unanswered--;
      over = closing;
    }
    if (over) {
      context.write(message, promise.unvoid()).addListener(sent -> finish(context));
    } else {
      context.write(message, promise);
      answerIfItsTurn(context);
    }
  }

  private void refuse(ChannelHandlerContext context, Refusal why) {
    LOG.debugf("Refused a request: %s", why.error().code());
    refusal = why;
    answerIfItsTurn(context);
  }

  private void answerIfItsTurn(ChannelHandlerContext context) {
    if (refusal == null || answering || unanswered > refusal.after()) {
      return;
    }
    over = true;
    boolean answerable =
        unanswered == refusal.after() && context.pipeline().get(HttpResponseEncoder.class) != null;
    if (answerable) {
      context
          .writeAndFlush(response(refusal.error(), refusal.mediaType()))
          .addListener(sent -> finish(context));
    } else {
      context.close(); // the answer to the broken request has left before
    }
  }

  private static FullHttpResponse response(ApiError error, String mediaType) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(error.status()),
            Unpooled.copiedBuffer(error.body(mediaType), StandardCharsets.UTF_8));
    SecurityHeaders.ALL.forEach(response.headers()::set);
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, mediaType)
        .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes())
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    return response;
  }

  /** Says that nothing more is sent, and waits a while for the client to have seen that. */
  private static void finish(ChannelHandlerContext context) {
    if (context.channel() instanceof DuplexChannel channel
        && channel.isActive()
        && context.pipeline().get(SslHandler.class) == null) {
      channel.config().setAutoRead(true);
      channel.shutdownOutput();
      context.executor().schedule(() -> channel.close(), LINGER_MS, TimeUnit.MILLISECONDS);
    } else {
      context.close();
    }
  }
}

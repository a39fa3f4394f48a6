package dev.seatfast.http.wire;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Puts an {@link Http1Guard} into the pipeline of every connection that turns out to speak
 * HTTP/1.x, between its codec and the server of Vert.x.
 *
 * <p>Netty finds this class as a service, if {@code io.netty.bootstrap.extensions} is {@code
 * serviceload}. Neither Vert.x nor Quarkus have a way to say how the requests are answered that the
 * codec can't read: Quarkus keeps the HTTP server to itself, and with it the handler of invalid
 * requests. In dev mode and in tests with {@code @QuarkusTest}, Netty is loaded apart from this
 * class and does not find it; the tests of the guard are those of the packaged service.
 */
@RegisterForReflection // for the service loader in a native executable
public final class GuardInstaller extends ChannelInitializerExtension {

  @Override
  public void postInitializeServerChildChannel(Channel connection) {
    connection.pipeline().addLast(new UntilProtocolIsKnown());
  }

  /**
   * Waits until Vert.x has set up the pipeline for one protocol or another. In clear text the first
   * bytes decide; they are passed on one by one, so that the guard is there when a request is read.
   */
  private static final class UntilProtocolIsKnown extends ChannelInboundHandlerAdapter {

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      finish(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof ByteBuf bytes) {
        while (bytes.isReadable() && !context.isRemoved() && !finish(context)) {
          context.fireChannelRead(bytes.readRetainedSlice(1));
        }
        context.fireChannelRead(bytes);
      } else {
        context.pipeline().remove(this); // a connection inside this process, without any bytes
        context.fireChannelRead(message);
      }
    }

    private boolean finish(ChannelHandlerContext context) {
      ChannelPipeline pipeline = context.pipeline();
      ChannelHandlerContext tls = pipeline.context(SslHandler.class);
      if (tls != null) {
        pipeline.addAfter(tls.name(), null, new UntilHandshake());
      } else if (!install(pipeline) && pipeline.get(Http2ConnectionHandler.class) == null) {
        return false;
      }
      pipeline.remove(this);
      return true;
    }
  }

  /** With TLS, Vert.x sets up the pipeline when the handshake has chosen the protocol. */
  private static final class UntilHandshake extends ChannelInboundHandlerAdapter {

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      context.fireUserEventTriggered(event);
      if (event instanceof SslHandshakeCompletionEvent) {
        install(context.pipeline());
        context.pipeline().remove(this);
      }
    }
  }

  /** False if the connection does not speak HTTP/1.x, or not yet. */
  private static boolean install(ChannelPipeline pipeline) {
    ChannelHandlerContext encoder = pipeline.context(HttpResponseEncoder.class);
    if (pipeline.get(HttpRequestDecoder.class) == null || encoder == null) {
      return false;
    }
    pipeline.addAfter(encoder.name(), null, new Http1Guard());
    return true;
  }
}

package dev.seatfast.support;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Speaks HTTP/2 in one of the ways that there are, and leaves paths as they are written. */
public final class Http2Client implements ContractCases.Door, AutoCloseable {

  private static final int TIMEOUT_SECONDS = 30;

  private final Vertx vertx;
  private final HttpClient client;
  private final URI server;

  private Http2Client(URI server, HttpClientOptions options) {
    this.vertx = Vertx.vertx();
    this.client =
        vertx.createHttpClient(
            options.setProtocolVersion(HttpVersion.HTTP_2).setHttp2MaxPoolSize(1));
    this.server = server;
  }

  /** In clear text, without asking first. */
  public static Http2Client knowing(URI server) {
    return new Http2Client(server, new HttpClientOptions().setHttp2ClearTextUpgrade(false));
  }

  /** In clear text, each connection beginning as one of HTTP/1.1. */
  public static Http2Client upgrading(URI server) {
    return new Http2Client(server, new HttpClientOptions());
  }

  /** With TLS. */
  public static Http2Client trusting(URI server, Path certificate) {
    return new Http2Client(
        server,
        new HttpClientOptions()
            .setSsl(true)
            .setUseAlpn(true)
            .setTrustOptions(new PemTrustOptions().addCertPath(certificate.toString())));
  }

  /** Begins a request, whose body and end are up to the caller. */
  public HttpClientRequest begin(String method, String path) throws IOException {
    return await(
        client.request(
            new RequestOptions()
                .setMethod(HttpMethod.valueOf(method))
                .setHost(server.getHost())
                .setPort(server.getPort())
                .setURI(path)));
  }

  @Override
  public RawHttp.Answer send(
      String method, String path, Map<String, String> headers, byte[] body, boolean chunked)
      throws IOException {
    HttpClientRequest request = begin(method, path);
    headers.forEach(request::putHeader);
    Future<RawHttp.Answer> answer = answer(request);
    if (body == null) {
      request.end();
    } else if (chunked) {
      int half = body.length / 2;
      request.setChunked(true).write(Buffer.buffer().appendBytes(body, 0, half));
      request.end(Buffer.buffer().appendBytes(body, half, body.length - half));
    } else {
      request.end(Buffer.buffer(body));
    }
    return await(answer);
  }

  /** How many requests the server takes at once on one connection. */
  public long requestsAtOnceMax() throws IOException {
    HttpClientRequest request = begin("GET", "/health");
    request.end();
    await(request.response());
    return request.connection().remoteSettings().getMaxConcurrentStreams();
  }

  /**
   * The whole answer to a request, which has to be one of HTTP/2. To be asked for before the
   * request is sent, because what comes before anybody listens is lost.
   */
  public static Future<RawHttp.Answer> answer(HttpClientRequest request) {
    return request
        .response()
        .compose(
            head -> {
              if (head.version() != HttpVersion.HTTP_2) {
                return Future.failedFuture("Not HTTP/2 but " + head.version());
              }
              Map<String, String> headers = new TreeMap<>();
              head.headers()
                  .forEach((name, value) -> headers.put(name.toLowerCase(Locale.ROOT), value));
              return head.body()
                  .map(body -> body.toString(StandardCharsets.UTF_8))
                  .map(body -> new RawHttp.Answer(head.statusCode(), headers, body));
            });
  }

  /** Waits for it. */
  public static <T> T await(Future<T> future) throws IOException {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    client.close().toCompletionStage().toCompletableFuture().join();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}

package dev.seatfast.access;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.util.concurrent.CompletionStage;

/**
 * Fetches keys from a URL. It follows no redirect: the URL is the operator's word on whom to trust.
 */
final class HttpKeySource implements KeySource {

  static final int TIME_MS_MAX = 2_000;

  private final URI url;
  private final Vertx vertx;

  HttpKeySource(URI url, Vertx vertx) {
    this.url = url;
    this.vertx = vertx;
  }

  /** Fetches are rare, so each has a client of its own, and none keeps a connection in between. */
  @Override
  public CompletionStage<String> fetch() {
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions().setConnectTimeout(TIME_MS_MAX).setKeepAlive(false));
    Promise<String> keys = Promise.promise();
    long timer =
        vertx.setTimer(
            TIME_MS_MAX, expired -> keys.tryFail("No keys after " + TIME_MS_MAX + " ms"));
    client
        .request(
            new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setAbsoluteURI(url.toString())
                .putHeader("Accept", "application/json"))
        .compose(request -> request.send())
        .compose(HttpKeySource::body)
        .onSuccess(keys::tryComplete)
        .onFailure(keys::tryFail);
    return keys.future()
        .onComplete(
            ended -> {
              vertx.cancelTimer(timer);
              client.close();
            })
        .toCompletionStage();
  }

  private static Future<String> body(HttpClientResponse response) {
    if (response.statusCode() != 200) {
      return Future.failedFuture("The status is " + response.statusCode());
    }
    Promise<String> body = Promise.promise();
    Buffer bytes = Buffer.buffer();
    response.handler(
        chunk -> {
          bytes.appendBuffer(chunk);
          if (bytes.length() > BYTES_MAX) {
            response.handler(null).endHandler(null);
            body.tryFail("The set of keys is too large");
          }
        });
    response.exceptionHandler(body::tryFail);
    response.endHandler(end -> body.tryComplete(bytes.toString()));
    return body.future();
  }
}

package dev.seatfast.login;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Asks for JSON over HTTP. An answer takes 10 seconds and has 256 KiB at most. It follows no
 * redirect, which would take the secret along.
 */
final class JsonClient {

  private static final Duration TIME_MAX = Duration.ofSeconds(10);
  private static final int BYTES_MAX = 256 * 1024;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client =
      HttpClient.newBuilder()
          .connectTimeout(TIME_MAX)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  /**
   * @param json what the body says; missing if it is no JSON
   */
  record Answer(int status, JsonNode json) {}

  Answer get(URI url) throws LoginException {
    return send(HttpRequest.newBuilder(url));
  }

  Answer get(URI url, String token) throws LoginException {
    return send(HttpRequest.newBuilder(url).header("Authorization", "Bearer " + token));
  }

  Answer post(URI url, Map<String, String> form) throws LoginException {
    String body =
        form.entrySet().stream()
            .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
            .collect(Collectors.joining("&"));
    return send(
        HttpRequest.newBuilder(url)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private Answer send(HttpRequest.Builder builder) throws LoginException {
    HttpRequest request = builder.header("Accept", "application/json").timeout(TIME_MAX).build();
    String host = request.uri().getAuthority();
    try {
      // The request's own limit ends with the headers, this one with the body.
      return client
          .sendAsync(request, HttpResponse.BodyHandlers.ofInputStream())
          .thenApplyAsync(JsonClient::read)
          .get(TIME_MAX.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new LoginException(host + " did not answer in time");
    } catch (ExecutionException e) {
      throw new LoginException(host + " does not answer");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LoginException("interrupted");
    }
  }

  private static Answer read(HttpResponse<InputStream> response) {
    try (InputStream body = response.body()) {
      byte[] bytes = body.readNBytes(BYTES_MAX);
      return new Answer(response.statusCode(), tree(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode tree(byte[] bytes) {
    try {
      JsonNode tree = JSON.readTree(bytes);
      return tree == null ? MissingNode.getInstance() : tree;
    } catch (IOException e) {
      return MissingNode.getInstance();
    }
  }
}

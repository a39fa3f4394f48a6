package dev.seatfast.lambda;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.seatfast.support.RawHttp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What AWS Lambda is to a custom runtime, and a function URL before it: hands out invocations with
 * payload 2.0 and takes their responses, by the protocol of "Using the Lambda runtime API" in the
 * developer guide of AWS Lambda. Functions take invocations from it as they come free.
 */
final class RuntimeApi implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PREFIX = "/2018-06-01/runtime/";
  private static final int ANSWER_SECONDS_MAX = 30;

  private record Invocation(String id, String event, CompletableFuture<String> response) {}

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final BlockingQueue<Invocation> waiting = new LinkedBlockingQueue<>();
  private final Map<String, Invocation> underWay = new ConcurrentHashMap<>();

  RuntimeApi() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(PREFIX + "invocation/next", this::next);
    server.createContext(PREFIX + "invocation/", this::finish);
    server.start();
  }

  /** For the environment variable {@code AWS_LAMBDA_RUNTIME_API}. */
  String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /** A request to the function URL. */
  RawHttp.Answer send(
      String method, String path, Map<String, String> headers, byte[] body, boolean chunked)
      throws IOException {
    JsonNode response = invoke(event(method, path, headers, body));
    Map<String, String> answered = new TreeMap<>();
    response
        .path("headers")
        .properties()
        .forEach(header -> answered.put(header.getKey().toLowerCase(), header.getValue().asText()));
    String text = response.path("body").asText("");
    if (response.path("isBase64Encoded").booleanValue()) {
      text = new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }
    return new RawHttp.Answer(
        response.get("statusCode").intValue(), answered, method.equals("HEAD") ? "" : text);
  }

  /** Any event, also one that a scheduler sends. */
  JsonNode invoke(String event) throws IOException {
    Invocation invocation =
        new Invocation(UUID.randomUUID().toString(), event, new CompletableFuture<>());
    waiting.add(invocation);
    try {
      return JSON.readTree(invocation.response().get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS));
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("The function gave no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static String event(
      String method, String path, Map<String, String> headers, byte[] body) {
    String[] parts = path.split("\\?", 2);
    ObjectNode event = JSON.createObjectNode().put("version", "2.0").put("routeKey", "$default");
    event.put("rawPath", parts[0]).put("rawQueryString", parts.length == 2 ? parts[1] : "");
    ObjectNode sent = event.putObject("headers");
    headers.forEach((name, value) -> sent.put(name.toLowerCase(), value));
    sent.put("host", "abc123.lambda-url.eu-central-1.on.aws");
    sent.put("x-forwarded-for", "192.0.2.1").put("x-forwarded-proto", "https");
    event
        .putObject("requestContext")
        .put("stage", "$default")
        .putObject("http")
        .put("method", method)
        .put("path", parts[0])
        .put("protocol", "HTTP/1.1")
        .put("sourceIp", "192.0.2.1");
    if (body != null) {
      boolean text =
          headers.getOrDefault("Content-Type", "").startsWith("application/json") && isUtf8(body);
      event.put("isBase64Encoded", !text);
      event.put(
          "body",
          text
              ? new String(body, StandardCharsets.UTF_8)
              : Base64.getEncoder().encodeToString(body));
    }
    return event.toString();
  }

  private static boolean isUtf8(byte[] body) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private void next(HttpExchange exchange) throws IOException {
    try {
      Invocation invocation = waiting.take();
      underWay.put(invocation.id(), invocation);
      exchange.getResponseHeaders().add("Lambda-Runtime-Aws-Request-Id", invocation.id());
      exchange
          .getResponseHeaders()
          .add(
              "Lambda-Runtime-Invoked-Function-Arn",
              "arn:aws:lambda:eu-central-1:123456789012:function:seatfast");
      exchange
          .getResponseHeaders()
          .add("Lambda-Runtime-Deadline-Ms", Long.toString(System.currentTimeMillis() + 30_000));
      byte[] event = invocation.event().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, event.length);
      exchange.getResponseBody().write(event);
      exchange.close();
    } catch (InterruptedException e) {
      exchange.close();
    }
  }

  private void finish(HttpExchange exchange) throws IOException {
    String[] path = exchange.getRequestURI().getPath().substring(PREFIX.length()).split("/");
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Invocation invocation = underWay.remove(path[1]);
    if (path[2].equals("response")) {
      invocation.response().complete(body);
    } else {
      invocation.response().completeExceptionally(new IOException(body));
    }
    exchange.sendResponseHeaders(202, -1);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}

package dev.seatfast.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A client of the workshop contract that can press Reserve many times at the same moment. */
public final class Client {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  private final URI server;

  public Client(URI server) {
    this.server = server;
  }

  /** An answer to a reservation. */
  public record Answer(int status, HttpResponse<String> response) {

    public JsonNode json() {
      try {
        return JSON.readTree(response.body());
      } catch (IOException e) {
        throw new IllegalStateException(response.body(), e);
      }
    }

    public boolean accepted() {
      return status == 201;
    }

    public boolean decided() {
      return status == 201 || status == 409;
    }

    public boolean replayed() {
      return json().get("replayed").booleanValue();
    }

    public String header(String name) {
      return response.headers().firstValue(name).orElse(null);
    }
  }

  /** A workshop that nobody used yet. */
  public static String freshWorkshop() {
    return "w" + UUID.randomUUID().toString().substring(0, 18);
  }

  public Answer reserve(String workshop, String requestId, int seats)
      throws IOException, InterruptedException {
    return post(
        "/workshops/" + workshop + "/reservations",
        "{\"requestId\":\"%s\",\"seats\":%d}".formatted(requestId, seats));
  }

  public Answer post(String path, String body) throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(server.resolve(path))
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  public JsonNode status(String workshop) throws IOException, InterruptedException {
    return get("/workshops/" + workshop + "/status").json();
  }

  public Answer get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(server.resolve(path)).GET());
  }

  /** As {@link #get(String)}, of an operator. */
  public Answer get(String path, String token) throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(server.resolve(path))
            .header("Authorization", "Bearer " + token)
            .GET());
  }

  /** As {@link #post(String, String)} or with another method, of an operator. */
  public Answer send(String method, String path, String body, String token)
      throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(server.resolve(path))
            .header("Authorization", "Bearer " + token)
            .method(method, HttpRequest.BodyPublishers.ofString(body)));
  }

  /** Whether every pool's counters agree with its attempts. */
  public boolean invariantsHold(String token) throws IOException, InterruptedException {
    return get("/internal/invariants", token).json().get("ok").booleanValue();
  }

  private static Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> response =
        HTTP.send(
            request.timeout(Duration.ofSeconds(30)).build(), HttpResponse.BodyHandlers.ofString());
    return new Answer(response.statusCode(), response);
  }

  /** Does all of it at the same moment, each on a thread of its own. */
  public static <T> List<T> atOnce(List<Callable<T>> calls) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(calls.size());
    CountDownLatch start = new CountDownLatch(calls.size());
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> call : calls) {
        futures.add(
            threads.submit(
                () -> {
                  start.countDown();
                  start.await();
                  return call.call();
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }
}

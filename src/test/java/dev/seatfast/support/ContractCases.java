package dev.seatfast.support;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.function.Executable;

/**
 * Replays recorded requests and compares the answers. Cases build on one another, so they run in
 * order; each run has names of its own, so it can be repeated on one database.
 */
public final class ContractCases {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** A case that what stands before the service in these tests answers itself; none if unset. */
  private static final String NOT_PASSED_ON = System.getProperty("contract.not-passed-on", "");

  private final Door door;
  private final String run;
  private final Duration timeToLive;
  private final Map<String, JsonNode> captured = new HashMap<>();

  /** Whether the answers are as the service describes them. */
  private final Queue<Executable> described = new ConcurrentLinkedQueue<>();

  private ContractCases(Door door, Duration timeToLive) {
    this.door = door;
    this.timeToLive = timeToLive;
    this.run =
        "r"
            + new Random()
                .ints(7, 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append);
  }

  /** The way to the service. */
  @FunctionalInterface
  public interface Door {
    RawHttp.Answer send(
        String method, String path, Map<String, String> headers, byte[] body, boolean chunked)
        throws IOException;
  }

  /** Replays a file of {@code src/test/resources/contract}; fails with every difference. */
  public static void replay(String file, URI server) throws Exception {
    replay(file, server, Duration.ZERO);
  }

  /**
   * @param timeToLive of the holds that the service makes
   */
  public static void replay(String file, URI server, Duration timeToLive) throws Exception {
    replay(
        file,
        (method, path, headers, body, chunked) ->
            RawHttp.send(server, method, path, headers, body, chunked),
        timeToLive);
  }

  /**
   * @param timeToLive of the holds that the service makes
   */
  public static void replay(String file, Door door, Duration timeToLive) throws Exception {
    ContractCases cases = new ContractCases(door, timeToLive);
    List<Executable> differences = new ArrayList<>();
    for (JsonNode recorded : read(file)) {
      if (recorded.path("name").asText().equals(NOT_PASSED_ON)) {
        continue;
      }
      cases.pauseBefore(recorded);
      Executable check =
          recorded.has("parallel") ? cases.parallel(recorded) : cases.single(recorded);
      differences.add(check);
    }
    differences.addAll(cases.described);
    assertAll(file, differences);
  }

  private static JsonNode read(String file) throws IOException {
    try (InputStream in = ContractCases.class.getResourceAsStream("/contract/" + file)) {
      return JSON.readTree(in);
    }
  }

  private Executable single(JsonNode recorded) throws Exception {
    String name = recorded.get("name").textValue();
    RawHttp.Answer answer = send(recorded, "");
    JsonNode expected = recorded.get("expect");
    JsonNode json = answer.body().startsWith("{") ? JSON.readTree(answer.body()) : null;
    if (json != null) {
      recorded
          .path("capture")
          .properties()
          .forEach(entry -> captured.put(entry.getKey(), json.path(entry.getValue().textValue())));
    }
    // Matched now: what they compare with changes with the time and the next cases.
    JsonNode wanted = expected.has("json") ? matched(expected.get("json"), json) : null;
    return () ->
        assertAll(
            name,
            () -> assertEquals(expected.get("status").intValue(), answer.status(), name),
            () ->
                assertEquals(
                    expected.get("contentType").textValue(),
                    answer.headers().get("content-type"),
                    name),
            () -> {
              if (expected.has("json")) {
                assertEquals(wanted, json, name);
              } else {
                assertEquals(expected.get("text").textValue(), answer.body(), name);
              }
            });
  }

  private Executable parallel(JsonNode recorded) throws Exception {
    JsonNode request = recorded.get("parallel");
    int n = request.get("n").intValue();
    List<RawHttp.Answer> answers = new ArrayList<>();
    ExecutorService clients = Executors.newFixedThreadPool(n);
    try {
      List<Future<RawHttp.Answer>> sent = new ArrayList<>();
      for (int i = 0; i < n; i++) {
        String index = Integer.toString(i);
        sent.add(clients.submit(() -> send(request, index)));
      }
      for (Future<RawHttp.Answer> answer : sent) {
        answers.add(answer.get());
      }
    } finally {
      clients.shutdownNow();
    }
    Map<String, Integer> statuses = new TreeMap<>();
    Map<String, Set<JsonNode>> values = new HashMap<>();
    for (RawHttp.Answer answer : answers) {
      statuses.merge(Integer.toString(answer.status()), 1, Integer::sum);
      JSON.readTree(answer.body())
          .properties()
          .forEach(
              field ->
                  values
                      .computeIfAbsent(field.getKey(), f -> new HashSet<>())
                      .add(field.getValue()));
    }
    JsonNode expected = recorded.get("expect");
    List<Executable> checks = new ArrayList<>();
    checks.add(() -> assertEquals(expected.get("statusCounts"), JSON.valueToTree(statuses)));
    expected
        .path("distinct")
        .properties()
        .forEach(
            field ->
                checks.add(
                    () ->
                        assertEquals(
                            field.getValue().intValue(),
                            values.getOrDefault(field.getKey(), Set.of()).size(),
                            field.getKey())));
    expected
        .path("max")
        .properties()
        .forEach(
            field ->
                checks.add(
                    () ->
                        assertEquals(
                            field.getValue().intValue(),
                            values.get(field.getKey()).stream()
                                .mapToInt(JsonNode::intValue)
                                .max()
                                .orElseThrow(),
                            field.getKey())));
    return () -> assertAll(recorded.get("name").textValue(), checks);
  }

  private RawHttp.Answer send(JsonNode request, String index) throws IOException {
    Map<String, String> headers = new TreeMap<>();
    request
        .path("headers")
        .properties()
        .forEach(header -> headers.put(header.getKey(), header.getValue().textValue()));
    String method = request.get("method").textValue();
    String path = filled(request.get("path").textValue());
    byte[] body = body(request, index);
    RawHttp.Answer answer =
        door.send(method, path, headers, body, request.path("chunked").booleanValue());
    String text = body == null ? null : new String(body, StandardCharsets.UTF_8);
    described.add(() -> DescribedAnswers.check(method, path, text, answer));
    return answer;
  }

  private byte[] body(JsonNode request, String index) {
    if (request.has("bodyBase64")) {
      return Base64.getDecoder().decode(request.get("bodyBase64").textValue());
    }
    if (request.has("bodyGen")) {
      JsonNode parts = request.get("bodyGen");
      String text =
          filled(parts.get("prefix").textValue())
              + parts.get("unit").textValue().repeat(parts.get("count").intValue())
              + filled(parts.get("suffix").textValue());
      return text.getBytes(StandardCharsets.UTF_8);
    }
    return request.hasNonNull("body")
        ? filled(request.get("body").textValue())
            .replace("{i}", index)
            .getBytes(StandardCharsets.UTF_8)
        : null;
  }

  /** Where a case waits for a hold to expire. */
  private void pauseBefore(JsonNode recorded) throws InterruptedException {
    String delay = recorded.path("delayMs").asText("0");
    long millis =
        delay.startsWith("TTL+")
            ? timeToLive.toMillis() + Long.parseLong(delay.substring(4))
            : Long.parseLong(delay);
    TimeUnit.MILLISECONDS.sleep(millis);
  }

  /** The expected JSON, with every matcher replaced by the value that came if it fits. */
  private JsonNode matched(JsonNode expected, JsonNode came) throws IOException {
    if (!expected.isObject()) {
      return filled(expected);
    }
    if (expected.size() == 1 && expected.fieldNames().next().startsWith("$")) {
      Map.Entry<String, JsonNode> matcher = expected.properties().iterator().next();
      return came != null && fits(matcher.getKey(), matcher.getValue(), came) ? came : expected;
    }
    ObjectNode all = JSON.createObjectNode();
    for (Map.Entry<String, JsonNode> field : expected.properties()) {
      all.set(
          field.getKey(),
          matched(field.getValue(), came == null ? null : came.get(field.getKey())));
    }
    return all;
  }

  private boolean fits(String matcher, JsonNode argument, JsonNode came) {
    return switch (matcher) {
      case "$uuid" ->
          came.asText()
              .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
      case "$num" -> came.isNumber();
      case "$nowPlusTtl" ->
          came.isIntegralNumber()
              && Math.abs(came.longValue() - System.currentTimeMillis() - timeToLive.toMillis())
                  <= argument.longValue();
      case "$var" -> came.equals(captured.get(argument.textValue()));
      case "$notVar" -> !came.equals(captured.get(argument.textValue()));
      default -> throw new IllegalArgumentException(matcher);
    };
  }

  private String filled(String text) {
    String filled = text.replace("{RUN}", run);
    for (Map.Entry<String, JsonNode> variable : captured.entrySet()) {
      filled = filled.replace("{{" + variable.getKey() + "}}", variable.getValue().asText());
    }
    return filled;
  }

  private JsonNode filled(JsonNode json) throws IOException {
    return JSON.readTree(filled(json.toString()));
  }
}

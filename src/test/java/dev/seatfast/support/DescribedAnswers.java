package dev.seatfast.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.restassured.filter.Filter;
import io.restassured.filter.FilterContext;
import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.FilterableResponseSpecification;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Compares answers with the kept description: whatever a test gets from a described route must have
 * a described status, media type, headers and body, and what a route accepts must be described too.
 */
public final class DescribedAnswers implements Filter {

  /** Headers that mean something to a client of ours. */
  private static final Set<String> HEADERS =
      Set.of("idempotency-replayed", "idempotency-mismatch", "retry-after", "allow");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonNode DESCRIPTION = description();

  /** The schemas that were needed so far, by what they are made of. */
  private static final Map<List<?>, JsonSchema> SCHEMAS = new ConcurrentHashMap<>();

  private static JsonNode description() {
    try (InputStream file = DescribedAnswers.class.getResourceAsStream("/openapi.yaml")) {
      return new YAMLMapper().readTree(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Response filter(
      FilterableRequestSpecification request,
      FilterableResponseSpecification expected,
      FilterContext context) {
    Response response = context.next(request, expected);
    Map<String, String> headers = new TreeMap<>();
    response.headers().forEach(h -> headers.put(h.getName().toLowerCase(), h.getValue()));
    check(
        request.getMethod(),
        URI.create(request.getURI()).getRawPath(),
        request.getBody(),
        new RawHttp.Answer(response.statusCode(), headers, response.asString()));
    return response;
  }

  /**
   * Fails if the answer is not described.
   *
   * @param target the path, and what may follow it
   * @param body of the request, null for none
   */
  public static void check(String method, String target, String body, RawHttp.Answer answer) {
    Optional<JsonNode> operation = operation(method, target.replaceFirst("\\?.*", ""));
    if (operation.isEmpty()) {
      return;
    }
    String what = method + " " + target + " -> " + answer;
    JsonNode described =
        followed(operation.get().path("responses").path(Integer.toString(answer.status())));
    assertTrue(described.isObject(), "A status that is not described: " + what);
    for (String header : answer.headers().keySet()) {
      if (HEADERS.contains(header)) {
        assertTrue(
            described.path("headers").properties().stream()
                .anyMatch(known -> known.getKey().equalsIgnoreCase(header)),
            header + " is not described: " + what);
      }
    }
    String mediaType = answer.headers().get("content-type");
    JsonNode content = described.path("content").path(mediaType);
    assertTrue(content.isObject(), "A media type that is not described: " + what);
    assertEquals(Set.of(), faults(content.get("schema"), answer.body(), true), what);
    JsonNode wanted = operation.get().at("/requestBody/content/application~1json/schema");
    if (answer.status() < 300 && wanted.isObject()) {
      assertEquals(Set.of(), faults(wanted, body, false), what + " to " + body);
    }
  }

  /** Finds the operation that the path belongs to; a template without variables comes first. */
  private static Optional<JsonNode> operation(String method, String path) {
    return DESCRIPTION.get("paths").properties().stream()
        .filter(template -> path.matches(template.getKey().replaceAll("\\{\\w+}", "[^/]+")))
        .map(template -> template.getValue().path(method.toLowerCase()))
        .filter(JsonNode::isObject)
        .findFirst();
  }

  private static JsonNode followed(JsonNode part) {
    return part.has("$ref") ? DESCRIPTION.at(part.get("$ref").textValue().substring(1)) : part;
  }

  /**
   * @param strict whether unknown fields and other formats are faults, as in what we write
   */
  private static Set<?> faults(JsonNode schema, String body, boolean strict) {
    JsonSchema ready =
        SCHEMAS.computeIfAbsent(List.of(schema, strict), key -> prepare(schema, strict));
    try {
      return ready.validate(JSON.readTree(body));
    } catch (IOException e) {
      return Set.of(e);
    }
  }

  private static JsonSchema prepare(JsonNode schema, boolean strict) {
    ObjectNode root = JSON.createObjectNode();
    root.setAll((ObjectNode) schema);
    root.set("components", DESCRIPTION.get("components"));
    if (strict) {
      root.put("unevaluatedProperties", false);
    }
    return JsonSchemaFactory.getInstance(VersionFlag.V202012)
        .getSchema(root, SchemaValidatorsConfig.builder().formatAssertionsEnabled(strict).build());
  }
}

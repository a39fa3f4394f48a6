package dev.seatfast.description;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The description of the routes in OpenAPI. It is kept in the repository, where a test compares it
 * with the one that is generated from the sources.
 */
final class Description {

  /** The kept description, on the class path. */
  static final String FILE = "/openapi.yaml";

  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .disable(YAMLGenerator.Feature.SPLIT_LINES)
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
          .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
          .build();

  private final ObjectNode tree;

  private Description(JsonNode tree) {
    this.tree = (ObjectNode) tree;
  }

  /** Reads the kept description. */
  static Description kept() {
    try (InputStream file = Description.class.getResourceAsStream(FILE)) {
      return new Description(YAML.readTree(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a description, which may be JSON: that is YAML too. */
  static Description parse(String yaml) throws JsonProcessingException {
    return new Description(YAML.readTree(yaml));
  }

  /** Returns the description without the routes for operators, and without what only they need. */
  Description withoutOperators() {
    Description rest = new Description(tree.deepCopy());
    Set<Map.Entry<String, JsonNode>> paths = rest.tree.get("paths").properties();
    paths.forEach(
        path -> path.getValue().properties().removeIf(operation -> isForOperators(operation)));
    paths.removeIf(path -> path.getValue().isEmpty());
    rest.removeUnused();
    return rest;
  }

  private static boolean isForOperators(Map.Entry<String, JsonNode> operation) {
    return operation.getValue().has("security");
  }

  private void removeUnused() {
    Set<String> used = new HashSet<>();
    Deque<JsonNode> unread = new ArrayDeque<>(Set.of(tree.get("paths")));
    while (!unread.isEmpty()) {
      for (JsonNode reference : unread.pop().findValues("$ref")) {
        if (used.add(reference.textValue())) {
          unread.push(tree.at(reference.textValue().substring(1)));
        }
      }
    }
    Set<Map.Entry<String, JsonNode>> kinds = tree.get("components").properties();
    for (Map.Entry<String, JsonNode> kind : kinds) {
      String prefix = "#/components/" + kind.getKey() + "/";
      kind.getValue().properties().removeIf(part -> !used.contains(prefix + part.getKey()));
    }
    kinds.removeIf(kind -> kind.getValue().isEmpty());
  }

  JsonNode tree() {
    return tree;
  }

  String yaml() {
    try {
      return YAML.writeValueAsString(tree);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  String json() {
    return tree.toPrettyString();
  }
}

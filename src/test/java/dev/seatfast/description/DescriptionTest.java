package dev.seatfast.description;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.Header;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class DescriptionTest {

  private static final Path KEPT = Path.of("src/main/resources" + Description.FILE);
  private static final Path CLASSES = Path.of("target/classes/dev/seatfast");
  private static final int LINES_AROUND = 4;

  /** Schemas that stand for no class. */
  private static final Set<String> OF_NO_CLASS =
      Set.of("Deleted", "Error", "NotReserved", "ErrorCode", "Problem", "Text");

  @ConfigProperty(name = "seatfast.internal-token")
  String token;

  @Test
  void theKeptDescriptionSaysWhatTheSourcesSay() throws IOException {
    String generated = inReadingOrder(given().get("/q/openapi-generated?format=json").asString());
    if (Boolean.getBoolean("description.write")) {
      Files.writeString(KEPT, generated);
    }
    List<String> kept = Files.readAllLines(KEPT);
    List<String> difference =
        UnifiedDiffUtils.generateUnifiedDiff(
            KEPT.toString(),
            "generated",
            kept,
            DiffUtils.diff(kept, generated.lines().toList()),
            LINES_AROUND);
    assertTrue(
        difference.isEmpty(),
        () ->
            "The sources describe other routes than the kept description. If clients can live with"
                + " the difference, keep it with\n"
                + "    ./mvnw test -Dtest=DescriptionTest#theKept* -Ddescription.write\n"
                + String.join("\n", difference));
  }

  private static String inReadingOrder(String json) throws IOException {
    JsonNode tree = Description.parse(json).tree();
    ObjectNode ordered = tree.deepCopy();
    ordered.removeAll();
    for (String part : List.of("openapi", "info", "paths", "components")) {
      ordered.set(part, tree.get(part));
    }
    assertEquals(tree, ordered, "has other parts");
    return Description.parse(ordered.toString()).yaml();
  }

  @Test
  void operatorsGetAllOfItInBothForms() throws IOException {
    Response yaml = operator("/q/openapi");
    Response json = operator("/q/openapi?format=JSON");
    assertEquals("application/yaml;charset=UTF-8", yaml.contentType());
    assertEquals("application/json;charset=UTF-8", json.contentType());
    assertEquals(Files.readString(KEPT), yaml.asString());
    assertEquals(tree(yaml), tree(json));
    assertEquals(
        tree(json), tree(given().accept("application/json").header(bearer()).get("/q/openapi")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/q/openapi", "/q/openapi?format=json"})
  void othersDoNotSeeTheRoutesForOperators(String path) throws IOException {
    for (String authorization : List.of("", "Bearer", "Bearer wrong", token)) {
      String others = given().header("Authorization", authorization).get(path).asString();
      for (String secret :
          List.of(
              "operator",
              "/internal",
              "/attempts",
              "/capacity",
              "/opening",
              "security",
              "Swept",
              "Event")) {
        assertFalse(others.contains(secret), secret);
      }
      assertEquals(operationIds(false), operationIds(tree(others)));
    }
    assertNotEquals(operationIds(false), operationIds(true));
  }

  @Test
  void everyReferenceLeadsSomewhereAndEveryPartIsReferredTo() throws IOException {
    for (JsonNode description :
        List.of(tree(operator("/q/openapi")), tree(given().get("/q/openapi")))) {
      Set<String> used = new TreeSet<>();
      description.findValues("$ref").forEach(reference -> used.add(reference.textValue()));
      Set<String> there = new TreeSet<>();
      description
          .get("components")
          .properties()
          .forEach(
              kind ->
                  kind.getValue()
                      .fieldNames()
                      .forEachRemaining(
                          name -> there.add("#/components/" + kind.getKey() + "/" + name)));
      there.remove("#/components/securitySchemes/operatorToken");
      assertEquals(there, used);
    }
  }

  @Test
  void itNamesTypesOfOursOnly() throws IOException {
    Set<String> ours = new HashSet<>(OF_NO_CLASS);
    try (Stream<Path> classes = Files.walk(CLASSES)) {
      classes.forEach(
          path ->
              ours.add(path.getFileName().toString().replaceFirst("(.*\\$)?(.*)\\.class", "$2")));
    }
    tree(operator("/q/openapi"))
        .at("/components/schemas")
        .fieldNames()
        .forEachRemaining(name -> assertTrue(ours.contains(name), name));
  }

  @Test
  void everyOperationHasANameOfItsOwnASummaryAndABodyForEveryAnswer() throws IOException {
    Set<String> ids = new HashSet<>();
    for (JsonNode operation : operations(tree(operator("/q/openapi")))) {
      String id = operation.path("operationId").asText();
      assertTrue(ids.add(id), id);
      assertTrue(id.matches("[a-z][a-zA-Z]+"), id);
      assertFalse(operation.path("summary").asText().isEmpty(), id);
      assertEquals(1, operation.path("tags").size(), id);
      for (Map.Entry<String, JsonNode> one : operation.get("responses").properties()) {
        JsonNode answer = one.getValue();
        assertTrue(
            answer.has("$ref")
                || answer.at("/content/application~1json/schema").has("$ref")
                || one.getKey().equals("304"), // which never has a body
            id);
      }
      if (operation.has("requestBody")) {
        assertTrue(operation.at("/requestBody/content/application~1json/schema").has("$ref"), id);
      }
    }
  }

  @Test
  void everyOperationButHealthTellsOfTheErrorsThatAnyCanHave() throws IOException {
    for (JsonNode operation : operations(tree(operator("/q/openapi")))) {
      Set<String> statuses = new HashSet<>();
      operation.get("responses").fieldNames().forEachRemaining(statuses::add);
      String id = operation.get("operationId").textValue();
      if (id.equals("readHealth")) {
        assertEquals(Set.of("200"), statuses);
      } else {
        assertTrue(statuses.containsAll(Set.of("400", "405", "410", "500", "503")), id);
        assertEquals(
            operation.has("requestBody"), statuses.containsAll(Set.of("408", "413", "415")), id);
        assertEquals(
            operation.has("security"), operation.path("tags").toString().contains("operators"), id);
      }
    }
  }

  @Test
  void everyDescribedRouteIsThereAndAnswersJsonWhateverAClientAccepts() throws IOException {
    JsonNode description = tree(operator("/q/openapi"));
    for (Map.Entry<String, JsonNode> path : description.get("paths").properties()) {
      for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
        Response answer =
            given()
                .header(bearer())
                .accept("text/html")
                .request(method.getKey(), path.getKey().replaceAll("\\{\\w+}", "some"));
        String what = method.getKey() + " " + path.getKey() + " " + answer.asString();
        assertTrue(Set.of(200, 400).contains(answer.statusCode()), what);
        assertEquals("application/json", answer.contentType(), what);
      }
    }
  }

  private Set<String> operationIds(boolean ofOperators) throws IOException {
    return operations(tree(operator("/q/openapi"))).stream()
        .filter(operation -> ofOperators || !operation.has("security"))
        .map(operation -> operation.get("operationId").textValue())
        .collect(Collectors.toSet());
  }

  private static Set<String> operationIds(JsonNode description) {
    return operations(description).stream()
        .map(operation -> operation.get("operationId").textValue())
        .collect(Collectors.toSet());
  }

  private static List<JsonNode> operations(JsonNode description) {
    return description.get("paths").properties().stream()
        .flatMap(path -> path.getValue().properties().stream())
        .map(Map.Entry::getValue)
        .toList();
  }

  private Response operator(String path) {
    return given().header(bearer()).get(path);
  }

  private Header bearer() {
    return new Header("Authorization", "Bearer " + token);
  }

  private static JsonNode tree(Response answer) throws IOException {
    assertEquals(200, answer.statusCode());
    return tree(answer.asString());
  }

  private static JsonNode tree(String description) throws IOException {
    return Description.parse(description).tree();
  }
}

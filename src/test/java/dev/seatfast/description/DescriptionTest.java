package dev.seatfast.description;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

@QuarkusTest
class DescriptionTest {

  private static final Path KEPT = Path.of("src/main/resources" + Description.FILE);
  private static final int LINES_AROUND = 4;

  @ConfigProperty(name = "seatfast.internal-token")
  String token;

  @Test
  void theKeptDescriptionSaysWhatTheSourcesSay() throws IOException {
    String generated =
        Description.parse(given().get("/q/openapi-generated?format=json").asString()).yaml();
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
            "The routes have changed. If no client breaks by that, keep the new description with"
                + " ./mvnw test -Dtest=DescriptionTest -Ddescription.write\n"
                + String.join("\n", difference));
  }
}

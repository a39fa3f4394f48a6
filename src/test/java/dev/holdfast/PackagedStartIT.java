package dev.holdfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.holdfast.support.ServiceProcess;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the packaged service starts, and how it says why it doesn't. */
class PackagedStartIT {

  @TempDir Path folder;

  @Test
  void withoutADatabaseItStopsAndNamesTheTwoChoices() throws Exception {
    ServiceProcess service = ServiceProcess.launch(Map.of());
    assertEquals(2, service.awaitExit());
    String said = service.log();
    assertTrue(said.contains("quarkus.datasource.jdbc.url"), said);
    assertTrue(said.contains("holdfast.embedded-database=true"), said);
    assertEquals(1, said.lines().count(), said);
  }

  @Test
  void aNamespaceThatIsNoSchemaNameStopsItWithOneLine() throws Exception {
    Map<String, String> settings = new HashMap<>(ServiceProcess.onEmbeddedDatabase(folder));
    settings.put("HOLDFAST_NAMESPACE", "no;such\"schema");
    ServiceProcess service = ServiceProcess.launch(settings);
    assertEquals(1, service.awaitExit());
    String said = service.log();
    assertTrue(said.contains("holdfast.namespace must match"), said);
    assertFalse(said.contains("\tat "), said);
  }

  @Test
  void theEmbeddedDatabaseIsAsDurableAsAnyAndLogsAreJson() throws Exception {
    try (ServiceProcess service = ServiceProcess.start(ServiceProcess.onEmbeddedDatabase(folder))) {
      assertEquals(201, service.client().reserve("first", "request", 1).status());
      assertTrue(
          service
              .log()
              .lines()
              .anyMatch(
                  line ->
                      line.startsWith("{")
                          && line.contains("\"message\":\"reservation_decided\"")
                          && line.contains("\"workshop\":\"first\"")),
          service.log());
      assertTrue(service.log().contains("no backup"));
    }
  }
}

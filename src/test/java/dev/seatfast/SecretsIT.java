package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.support.DatabaseOwner;
import dev.seatfast.support.ServiceProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets with characters that mean something in other settings. */
class SecretsIT {

  private static final String SECRET = "pa$$w${x}0rd";

  @TempDir static Path folder;

  private static DatabaseOwner owner;

  @BeforeAll
  static void startDatabase() throws Exception {
    owner = new DatabaseOwner(EmbeddedDatabase.start(folder.resolve("db"), 0));
    owner.execute(
        "CREATE ROLE \"renter$$\" LOGIN PASSWORD '" + SECRET + "'",
        "GRANT CREATE ON DATABASE postgres TO \"renter$$\"");
  }

  @AfterAll
  static void stopDatabase() {
    owner.database().close();
  }

  @Test
  void fromTheEnvironmentTheyAreTakenAsTheyAre() throws Exception {
    Map<String, String> settings =
        owner.settings(
            "QUARKUS_DATASOURCE_USERNAME",
            "renter$$",
            "QUARKUS_DATASOURCE_PASSWORD",
            SECRET,
            "SEATFAST_INTERNAL_TOKEN",
            SECRET);
    assertWorks(settings);
  }

  @Test
  void fromAFileTheyAreTakenAsTheyAre() throws Exception {
    Path file = folder.resolve("ours.properties");
    Files.writeString(
        file,
        """
        quarkus.datasource.username=renter$$
        quarkus.datasource.password=%1$s
        seatfast.internal-token=%1$s
        """
            .formatted(SECRET));
    Map<String, String> settings =
        new HashMap<>(owner.settings("QUARKUS_CONFIG_LOCATIONS", file.toString()));
    settings.keySet().removeIf(name -> name.matches(".*(USERNAME|PASSWORD)"));
    assertWorks(settings);
  }

  private static void assertWorks(Map<String, String> settings) throws Exception {
    settings.put("SEATFAST_MIGRATE", "at-start");
    try (ServiceProcess service = ServiceProcess.start(settings)) {
      assertEquals(200, service.client().get("/internal/invariants", SECRET).status());
      assertFalse(service.log().contains(SECRET), service::log);
    }
  }
}

package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.support.Client.Answer;
import dev.seatfast.support.DatabaseOwner;
import dev.seatfast.support.ServiceProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service is there before its database. */
class DatabaseDownAtStartIT {

  @TempDir Path folder;

  @Test
  void itStartsAndSaysThatItIsNotReadyUntilTheDatabaseComes() throws Exception {
    DatabaseOwner owner = new DatabaseOwner(EmbeddedDatabase.start(folder, 0));
    int port = DatabaseOwner.port(owner.database());
    ServiceProcess migration =
        ServiceProcess.launch(owner.settings("QUARKUS_DATASOURCE_JDBC_MAX_SIZE", "1"), "migrate");
    assertEquals(0, migration.awaitExit(), migration::log);
    owner.database().close();
    try (ServiceProcess serving =
            ServiceProcess.launch(owner.settings("QUARKUS_DATASOURCE_JDBC_MAX_SIZE", "1"));
        ServiceProcess migrating =
            ServiceProcess.launch(
                owner.settings("SEATFAST_NAMESPACE", "later", "SEATFAST_MIGRATE", "at-start"))) {
      for (ServiceProcess service : List.of(serving, migrating)) {
        awaitLive(service);
        assertFalse(service.ready());
        Answer refused = service.client().reserve("early", "request", 1);
        assertEquals(503, refused.status());
        assertTrue(Integer.parseInt(refused.header("Retry-After")) > 0);
        assertEquals(200, service.client().get("/health").status());
        assertFalse(service.log().contains("\tat "), service.log());
      }
      EmbeddedDatabase database = EmbeddedDatabase.start(folder, port);
      try {
        for (ServiceProcess service : List.of(serving, migrating)) {
          service.awaitReady();
          Answer decided = service.client().reserve("early", "request", 1);
          assertEquals(201, decided.status());
          assertFalse(decided.replayed());
        }
      } finally {
        database.close();
      }
    }
  }

  private static void awaitLive(ServiceProcess service) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              try {
                return service.client().get("/q/health/live").status() == 200;
              } catch (IOException e) {
                return false;
              }
            });
  }
}

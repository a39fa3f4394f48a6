package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.support.Client;
import dev.seatfast.support.Client.Answer;
import dev.seatfast.support.Rush;
import dev.seatfast.support.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever dies, every decision that a client was told is there afterwards. */
class RestartIT {

  private static final int CLIENTS = 8;
  private static final int CAPACITY = 100;
  private static final int DECISIONS_BEFORE = 150;

  @TempDir Path folder;

  private final String workshop = Client.freshWorkshop();
  private Map<String, String> settings;

  @BeforeEach
  void settings() {
    settings = new HashMap<>(ServiceProcess.onEmbeddedDatabase(folder));
    settings.put("SEATFAST_DEFAULT_CAPACITY", Integer.toString(CAPACITY));
    settings.put("SEATFAST_INTERNAL_TOKEN", "a-token");
  }

  @Test
  void decisionsSurviveAStop() throws Exception {
    Map<String, Integer> told;
    ServiceProcess service = ServiceProcess.start(settings);
    try (Rush rush = Rush.start(service.client(), workshop, CLIENTS)) {
      awaitDecisions(rush, DECISIONS_BEFORE);
      service.close();
      told = rush.told();
      assertEquals(0, rush.unexpected());
    }
    assertToldAgain(told);
  }

  @Test
  void decisionsSurviveAKillOfTheService() throws Exception {
    Map<String, Integer> told;
    ServiceProcess service = ServiceProcess.start(settings);
    try (Rush rush = Rush.start(service.client(), workshop, CLIENTS)) {
      awaitDecisions(rush, DECISIONS_BEFORE);
      service.kill();
      told = rush.told();
    }
    assertToldAgain(told);
  }

  @Test
  void decisionsSurviveAKillOfPostgresAndTheServiceRecoversByItself() throws Exception {
    try (ServiceProcess service = ServiceProcess.start(settings)) {
      Map<String, Integer> told;
      try (Rush rush = Rush.start(service.client(), workshop, CLIENTS)) {
        awaitDecisions(rush, DECISIONS_BEFORE);
        assertTrue(postmaster().destroyForcibly());
        int before = rush.decisions();
        awaitDecisions(rush, before + DECISIONS_BEFORE);
        told = rush.told();
        assertEquals(0, rush.unexpected(), service::log);
      }
      assertToldAgain(service.client(), told);
    }
  }

  private void assertToldAgain(Map<String, Integer> told) throws Exception {
    try (ServiceProcess service = ServiceProcess.start(settings)) {
      assertToldAgain(service.client(), told);
    }
  }

  private void assertToldAgain(Client client, Map<String, Integer> told) throws Exception {
    assertTrue(told.containsValue(201) && told.containsValue(409), "both outcomes were told");
    for (Map.Entry<String, Integer> decision : told.entrySet()) {
      Answer replay = client.reserve(workshop, decision.getKey(), 1);
      assertEquals(decision.getValue(), replay.status(), decision.getKey());
      assertTrue(replay.replayed(), decision.getKey());
    }
    assertEquals(CAPACITY, client.status(workshop).get("reserved").intValue());
    assertTrue(client.invariantsHold("a-token"));
  }

  private ProcessHandle postmaster() throws IOException {
    long pid =
        Long.parseLong(
            Files.readAllLines(folder.resolve("data").resolve("postmaster.pid")).get(0).strip());
    return ProcessHandle.of(pid).orElseThrow();
  }

  private static void awaitDecisions(Rush rush, int decisions) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> rush.decisions() >= decisions);
  }
}

package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.support.Client;
import dev.seatfast.support.Client.Answer;
import dev.seatfast.support.ServiceProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An instance whose clock is five minutes off, beside one whose clock is right. */
class WrongClockIT {

  @TempDir Path folder;

  @Test
  void aClockThatIsFiveMinutesOffChangesNothing() throws Exception {
    Optional<Path> faketime =
        List.of("x86_64", "aarch64").stream()
            .map(arch -> Path.of("/usr/lib/" + arch + "-linux-gnu/faketime/libfaketime.so.1"))
            .filter(Files::exists)
            .findFirst();
    assumeTrue(faketime.isPresent(), "needs Debian's package libfaketime");
    try (EmbeddedDatabase database = EmbeddedDatabase.start(folder, 0)) {
      Map<String, String> right =
          Map.of(
              "QUARKUS_DATASOURCE_JDBC_URL", database.jdbcUrl(),
              "QUARKUS_DATASOURCE_USERNAME", database.user(),
              "QUARKUS_DATASOURCE_PASSWORD", database.password(),
              "SEATFAST_MIGRATE", "at-start",
              "SEATFAST_HOLD_TIME_TO_LIVE", "4S");
      Map<String, String> wrong = new HashMap<>(right);
      wrong.put("LD_PRELOAD", faketime.get().toString());
      wrong.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
      wrong.put("FAKETIME", "+5m");
      try (ServiceProcess late = ServiceProcess.start(wrong);
          ServiceProcess onTime = ServiceProcess.start(right)) {
        holdsAreKeptAndEnded(late.client(), onTime.client());
        holdsAreKeptAndEnded(onTime.client(), late.client());
      }
    }
  }

  private static void holdsAreKeptAndEnded(Client here, Client there) throws Exception {
    String resource = UUID.randomUUID().toString();
    Answer held = here.post("/api/reservations/hold", hold(resource, "ann"));
    assertEquals(200, held.status());
    long millis = held.json().get("expiresAt").longValue() - System.currentTimeMillis();
    assertTrue(millis > 0 && millis <= 4_000, "ends in " + millis + " ms");
    assertEquals(409, there.post("/api/reservations/hold", hold(resource, "bob")).status());

    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> there.post("/api/reservations/hold", hold(resource, "bob")).status() == 200);
    assertTrue(System.currentTimeMillis() >= held.json().get("expiresAt").longValue());
    String confirm =
        hold(resource, "ann")
            .replace("}", ",\"reservationId\":" + held.json().get("reservationId") + "}");
    assertEquals(
        "EXPIRED",
        here.post("/api/reservations/confirm", confirm).json().get("reason").textValue());
  }

  private static String hold(String resource, String user) {
    return ("{\"tenantId\":\"clock\",\"resourceId\":\"%s\",\"slotStartIso\":\"2030-01-01T00:00:00Z\","
            + "\"userId\":\"%s\",\"idempotencyKey\":\"key-%s\"}")
        .formatted(resource, user, user);
  }
}

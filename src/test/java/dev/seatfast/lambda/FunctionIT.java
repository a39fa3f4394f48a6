package dev.seatfast.lambda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.support.Client;
import dev.seatfast.support.ContractCases;
import dev.seatfast.support.RawHttp;
import dev.seatfast.support.ServiceProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The executable of the Lambda build as a custom runtime, several instances on one database. */
class FunctionIT {

  private static final int INSTANCES = 2;

  @TempDir static Path folder;

  private static EmbeddedDatabase database;
  private static RuntimeApi lambda;
  private static final List<ServiceProcess> functions = new ArrayList<>();

  @BeforeAll
  static void deploy() throws Exception {
    database = EmbeddedDatabase.start(folder, 0);
    lambda = new RuntimeApi();
    Map<String, String> settings =
        new HashMap<>(
            Map.of(
                "QUARKUS_DATASOURCE_JDBC_URL", database.jdbcUrl(),
                "QUARKUS_DATASOURCE_USERNAME", database.user(),
                "QUARKUS_DATASOURCE_PASSWORD", database.password(),
                "QUARKUS_DATASOURCE_JDBC_MAX_SIZE", "2",
                "SEATFAST_BATCH_TRANSACTIONS_MAX", "1",
                "SEATFAST_HOLD_TIME_TO_LIVE", "3S",
                "SEATFAST_SWEEP_EVERY", "off",
                "SEATFAST_INTERNAL_TOKEN", "a-token"));
    // Also this one asks for an invocation as soon as it starts, and would take it to its end.
    try (RuntimeApi nothingToDo = new RuntimeApi()) {
      settings.put("AWS_LAMBDA_RUNTIME_API", nothingToDo.address());
      ServiceProcess migration = ServiceProcess.launch(settings, "migrate");
      assertEquals(0, migration.awaitExit(), migration::log);
    }
    settings.put("AWS_LAMBDA_RUNTIME_API", lambda.address());
    for (int i = 0; i < INSTANCES; i++) {
      functions.add(ServiceProcess.launch(settings));
    }
  }

  @AfterAll
  static void undeploy() {
    functions.forEach(ServiceProcess::kill);
    lambda.close();
    database.close();
  }

  @Test
  void answersEveryRecordedRequestForWorkshopsAsOverHttp() throws Exception {
    ContractCases.replay("workshops.json", lambda::send, Duration.ZERO);
  }

  @Test
  void answersEveryRecordedRequestForSlotsAsOverHttp() throws Exception {
    ContractCases.replay("slots.json", lambda::send, Duration.ofSeconds(3));
  }

  @Test
  void twoInstancesGiveFourOfSixtyFourASeat() throws Exception {
    String path = "/workshops/" + Client.freshWorkshop() + "/reservations";
    List<Callable<Integer>> calls = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      byte[] body =
          "{\"requestId\":\"request-%d\",\"seats\":1}"
              .formatted(i)
              .getBytes(StandardCharsets.UTF_8);
      calls.add(() -> lambda.send("POST", path, Map.of(), body, false).status());
    }
    List<Integer> statuses = Client.atOnce(calls);
    assertEquals(4, statuses.stream().filter(status -> status == 201).count());
    assertEquals(60, statuses.stream().filter(status -> status == 409).count());
  }

  @Test
  void theScheduledSweepIsARequestLikeAnyOther() throws Exception {
    Map<String, String> operator = Map.of("Authorization", "Bearer a-token");
    RawHttp.Answer swept = lambda.send("POST", "/internal/sweep", operator, new byte[0], false);
    assertEquals(200, swept.status(), swept.body());
    assertTrue(swept.body().contains("\"done\":true"), swept.body());
    assertEquals(404, lambda.send("POST", "/internal/sweep", Map.of(), null, false).status());
  }
}

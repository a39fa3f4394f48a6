package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.support.Client;
import dev.seatfast.support.DatabaseOwner;
import dev.seatfast.support.ServiceProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first token is made with nothing but the database, and opens a service that is closed. */
class TokensCommandIT {

  private static final String STATUS = "/workshops/intro/status";
  private static final String RESERVATION = "{\"requestId\":\"first\",\"seats\":1}";

  @TempDir Path folder;
  private EmbeddedDatabase database;
  private Map<String, String> settings;

  @BeforeEach
  void startDatabase() {
    database = EmbeddedDatabase.start(folder, 0);
    DatabaseOwner owner = new DatabaseOwner(database);
    owner.migrate();
    settings = owner.settings("SEATFAST_ACCESS", "tokens");
  }

  @AfterEach
  void stopDatabase() {
    database.close();
  }

  @Test
  void aTokenThatTheCommandMadeOpensTheServiceUntilItRevokesIt() throws Exception {
    ServiceProcess.Output made =
        run("create", "--scope", "reserve", "--scope", "read", "--expires", "30d", "--note", "x");
    assertEquals(0, made.exitCode(), made.errors());
    String token = made.output().strip();
    assertTrue(token.matches("sf_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}"), made.output());
    assertFalse(made.errors().contains(token));
    String id = token.substring(3, 15);
    assertTrue(run("list").output().startsWith(id + "\t-\t-\tread,reserve\texpires "));
    try (ServiceProcess service = ServiceProcess.start(settings)) {
      Client client = service.client();
      assertEquals(401, client.get("/workshops/intro/status").status());
      assertEquals(200, client.get("/workshops/intro/status", token).status());
      assertEquals(404, client.get("/internal/audit", token).status());
      assertFalse(service.log().contains(token.substring(16)));
    }
    assertEquals(0, run("revoke", id).exitCode());
    assertTrue(run("list").output().contains("revoked "));
    try (ServiceProcess service = ServiceProcess.start(settings)) {
      assertEquals(401, service.client().get("/workshops/intro/status", token).status());
    }
  }

  @Test
  void aTokenOfAnOperatorListsAttemptsWhereHibernateIsSwitchedOn() throws Exception {
    String token = run("create", "--scope", "operate", "--scope", "reserve").output().strip();
    Map<String, String> withHibernate = new HashMap<>(settings);
    withHibernate.put("QUARKUS_HIBERNATE_ORM_ACTIVE", "true");
    try (ServiceProcess service = ServiceProcess.start(withHibernate)) {
      String workshop = "/workshops/intro/reservations";
      assertEquals(201, service.client().send("POST", workshop, RESERVATION, token).status());
      Client.Answer attempts = service.client().get("/api/workshops/intro/attempts", token);
      assertEquals(200, attempts.status());
      assertTrue(attempts.response().body().contains("\"requestId\":\"first\""));
    }
  }

  /** Both have used it just before, so both remember that it was good. */
  @Test
  void aRevokedTokenStopsWorkingOnEveryInstanceWithinThirtySeconds() throws Exception {
    String token = run("create", "--scope", "read").output().strip();
    String other = run("create", "--scope", "read").output().strip();
    try (ServiceProcess one = ServiceProcess.start(settings);
        ServiceProcess two = ServiceProcess.start(settings)) {
      for (ServiceProcess service : List.of(one, two)) {
        assertEquals(200, service.client().get(STATUS, token).status());
      }
      assertEquals(0, run("revoke", token.substring(3, 15)).exitCode());
      for (ServiceProcess service : List.of(one, two)) {
        Awaitility.await()
            .atMost(Duration.ofSeconds(60)) // of a slow machine
            .pollInterval(Duration.ofMillis(500))
            .until(() -> service.client().get(STATUS, token).status() == 401);
        assertEquals(200, service.client().get(STATUS, other).status());
      }
    }
  }

  @Test
  void argumentsThatCannotBeEndTheCommandWithItsUsage() throws Exception {
    for (List<String> wrong :
        List.of(
            List.of("create"),
            List.of("create", "--scope", "everything"),
            List.of("create", "--scope", "read", "--expires", "yesterday"),
            List.of("create", "--scope", "read", "--tenant"),
            List.of("revoke"))) {
      ServiceProcess.Output output = run(wrong.toArray(String[]::new));
      assertEquals(2, output.exitCode(), wrong.toString());
      assertTrue(output.errors().contains("usage: tokens create"), output.errors());
      assertEquals("", output.output());
    }
    assertEquals(1, run("revoke", "nobody").exitCode());
  }

  @Test
  void settingsThatCannotWorkEndTheStart() throws Exception {
    Map<String, String> identities =
        new DatabaseOwner(database).settings("SEATFAST_ACCESS", "identities");
    try (ServiceProcess service = ServiceProcess.launch(identities)) {
      assertEquals(2, service.awaitExit());
      assertTrue(service.log().contains("needs seatfast.identities.issuer"), service.log());
    }
  }

  @Test
  void aProductionServiceThatIsOpenSaysSoInOneLine() throws Exception {
    Map<String, String> open = new DatabaseOwner(database).settings();
    try (ServiceProcess service = ServiceProcess.start(open)) {
      assertEquals(200, service.client().get("/workshops/intro/status").status());
      assertEquals(
          1,
          service.log().lines().filter(line -> line.contains("seatfast.access is open")).count());
    }
    try (ServiceProcess service = ServiceProcess.start(settings)) {
      assertFalse(service.log().contains("seatfast.access is open"));
    }
  }

  private ServiceProcess.Output run(String... arguments) throws Exception {
    String[] all = new String[arguments.length + 1];
    all[0] = "tokens";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return ServiceProcess.runToEnd(settings, all);
  }
}

package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.support.Certificates;
import dev.seatfast.support.Client;
import dev.seatfast.support.Client.Answer;
import dev.seatfast.support.DatabaseOwner;
import dev.seatfast.support.ServiceProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Who the service and its database are to each other: passwords and certificates, and what it says
 * when they don't fit. Whatever happens, no log has a password in it.
 */
class DatabaseTrustIT {

  private static final String USER = "renter";
  private static final String FIRST = "first-secret";
  private static final String SECOND = "second-secret";
  private static final String WRONG = "wrong-secret";

  @TempDir static Path folder;

  private static DatabaseOwner owner;
  private static Certificates certificates;

  @BeforeAll
  static void startDatabase() throws Exception {
    owner = new DatabaseOwner(EmbeddedDatabase.start(folder, 0));
    owner.migrate();
    owner.execute("CREATE ROLE %s SUPERUSER LOGIN PASSWORD '%s'".formatted(USER, FIRST));
    assumeTrue(Certificates.canBeMade(), "no openssl is installed");
    certificates = Certificates.makeIn(folder);
    certificates.use(owner);
  }

  @AfterAll
  static void stopDatabase() {
    owner.database().close();
  }

  /** A row names what is wrong, as a part of the URL or instead of a setting. */
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, postgres, , nobody_we_know, nobody_we_know",
    "127.0.0.1, nothing, , renter, nothing",
    "127.0.0.1, postgres, , , password authentication failed",
    "127.0.0.1, postgres, ?password=wrong-secret, renter, password authentication failed",
    "127.0.0.1, postgres, ?sslmode=verify-full&sslrootcert=ROOT, renter, 127.0.0.1",
    "localhost, postgres, ?sslmode=verify-full&sslrootcert=OTHER, renter, SSL error",
    "localhost, postgres, ?sslmode=verify-full&sslrootcert=/none, renter, /none",
  })
  void aDatabaseThatRefusesUsOrIsNotTheOneWeTrustEndsTheStartWithOneClearLine(
      String host, String name, String parameters, String user, String complaint) throws Exception {
    String url =
        "jdbc:postgresql://%s:%d/%s%s"
            .formatted(
                host,
                DatabaseOwner.port(owner.database()),
                name,
                parameters == null
                    ? ""
                    : parameters
                        .replace("ROOT", certificates.root().toString())
                        .replace("OTHER", certificates.otherRoot().toString()));
    Map<String, String> settings =
        new HashMap<>(
            owner.settings(
                "QUARKUS_DATASOURCE_JDBC_URL",
                url,
                "QUARKUS_DATASOURCE_USERNAME",
                user == null ? USER : user,
                "QUARKUS_DATASOURCE_PASSWORD",
                user == null ? WRONG : FIRST));
    if (url.contains("password")) {
      settings.remove("QUARKUS_DATASOURCE_PASSWORD");
    }
    ServiceProcess service = ServiceProcess.launch(settings);
    assertEquals(2, service.awaitExit(), service::log);
    List<String> complaints = service.complaints();
    assertEquals(1, complaints.size(), service.log());
    assertTrue(complaints.get(0).contains("The database cannot be used: "), complaints.get(0));
    assertTrue(complaints.get(0).contains(complaint), complaints.get(0));
    assertNothingLeaks(service);
  }

  @Test
  void aPasswordThatChangesInItsFileNeedsNoRestartAndTheConnectionIsVerified() throws Exception {
    Path file = folder.resolve("password-of-service");
    write(file, FIRST);
    Map<String, String> settings =
        new HashMap<>(
            owner.settings(
                "QUARKUS_DATASOURCE_JDBC_URL",
                "jdbc:postgresql://localhost:%d/postgres"
                    .formatted(DatabaseOwner.port(owner.database())),
                "QUARKUS_DATASOURCE_JDBC_ADDITIONAL_JDBC_PROPERTIES_SSLMODE",
                "verify-full",
                "QUARKUS_DATASOURCE_JDBC_ADDITIONAL_JDBC_PROPERTIES_SSLROOTCERT",
                certificates.root().toString(),
                "QUARKUS_DATASOURCE_USERNAME",
                USER,
                "SEATFAST_DATABASE_PASSWORD_FILE",
                file.toString()));
    settings.remove("QUARKUS_DATASOURCE_PASSWORD");
    String workshop = Client.freshWorkshop();
    try (ServiceProcess service = ServiceProcess.start(settings)) {
      Client client = service.client();
      assertEquals(201, client.reserve(workshop, "before", 1).status());
      assertEquals(
          "t",
          owner.ask(
              "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)"
                  + " WHERE application_name = 'seatfast'"));

      owner.execute("ALTER ROLE %s PASSWORD '%s'".formatted(USER, SECOND));
      write(file, SECOND);
      endSessions();
      assertEquals(201, client.reserve(workshop, "rotated", 1).status(), service::log);

      Files.delete(file);
      endSessions();
      Answer meanwhile = client.reserve(workshop, "gone", 1);
      assertEquals(503, meanwhile.status(), service::log);
      assertTrue(Integer.parseInt(meanwhile.header("Retry-After")) > 0);
      write(file, SECOND);
      assertEquals(201, client.reserve(workshop, "gone", 1).status(), service::log);
      assertNothingLeaks(service);
    } finally {
      owner.execute("ALTER ROLE %s PASSWORD '%s'".formatted(USER, FIRST));
    }
  }

  /** And waits until the pool does not trust its connections blindly any more. */
  private static void endSessions() throws Exception {
    owner.endSessions();
    TimeUnit.MILLISECONDS.sleep(1_200);
  }

  /** At once, and with the newline that editors add. */
  private static void write(Path file, String password) throws Exception {
    Path next = Files.writeString(folder.resolve("next"), password + "\n");
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void assertNothingLeaks(ServiceProcess service) {
    for (String secret : List.of(FIRST, SECOND, WRONG, owner.database().password())) {
      assertFalse(service.log().contains(secret), service.log());
    }
    assertFalse(service.log().contains("\tat "), service.log());
    assertFalse(service.log().contains("stackTrace"), service.log());
  }
}

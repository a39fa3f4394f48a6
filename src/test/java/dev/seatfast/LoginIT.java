package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.support.DatabaseOwner;
import dev.seatfast.support.DeviceFlowProvider;
import dev.seatfast.support.OpenIdProvider;
import dev.seatfast.support.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People log in to a service from their own machine, with a token or through a provider. */
class LoginIT {

  private static final String TOKEN = "the-internal-token";

  @TempDir static Path folder;
  private static EmbeddedDatabase database;
  private static DeviceFlowProvider provider;
  private static ServiceProcess service;

  @TempDir Path home;
  private Path kept;

  @BeforeAll
  static void startService() throws IOException {
    database = EmbeddedDatabase.start(folder, 0);
    DatabaseOwner owner = new DatabaseOwner(database);
    owner.migrate();
    provider = new DeviceFlowProvider();
    service =
        ServiceProcess.start(
            owner.settings(
                "SEATFAST_ACCESS",
                "both",
                "SEATFAST_INTERNAL_TOKEN",
                TOKEN,
                "SEATFAST_IDENTITIES_ISSUER",
                provider.issuer(),
                "SEATFAST_IDENTITIES_AUDIENCE",
                OpenIdProvider.AUDIENCE,
                "SEATFAST_IDENTITIES_JWKS_URL",
                provider.issuer() + "/keys",
                "SEATFAST_IDENTITIES_TENANT",
                "t1"));
  }

  @AfterAll
  static void stopService() {
    service.close();
    provider.close();
    database.close();
  }

  @BeforeEach
  void forget() {
    kept = home.resolve("seatfast");
    provider.refuse("");
    provider.lifeSeconds(600);
  }

  @Test
  void aTokenIsReadFromStandardInputAndKeptForItsUserAlone() throws Exception {
    ServiceProcess.Output login = run(TOKEN + "\n", "login");
    assertEquals(0, login.exitCode(), login.errors());
    assertTrue(login.output().contains("name     internal-token\n"), login.output());
    assertEquals("rwx------", permissions(kept));
    assertEquals("rw-------", permissions(file()));
    ServiceProcess.Output whoami = run("", "whoami");
    assertEquals(0, whoami.exitCode(), whoami.errors());
    assertEquals(login.output(), whoami.output());
    assertFalse((login.output() + login.errors() + whoami.output()).contains(TOKEN));
    assertEquals(0, run("", "logout").exitCode());
    assertEquals(List.of(), files());
    ServiceProcess.Output gone = run("", "whoami");
    assertEquals(1, gone.exitCode());
    assertTrue(gone.errors().contains("not logged in"), gone.errors());
  }

  @Test
  void aTokenThatTheServiceDoesNotAcceptIsNotKept() throws Exception {
    ServiceProcess.Output login = run("another-token", "login");
    assertEquals(1, login.exitCode());
    assertTrue(login.errors().contains("does not accept this token"), login.errors());
    assertFalse(login.errors().contains("another-token"));
    assertFalse(Files.exists(kept));
    assertEquals(1, run("two words", "login").exitCode());
  }

  @Test
  void aLoginThatOthersCanReadIsNotUsed() throws Exception {
    run(TOKEN, "login");
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r-----"));
    ServiceProcess.Output whoami = run("", "whoami");
    assertEquals(1, whoami.exitCode());
    assertTrue(whoami.errors().contains("others can read"), whoami.errors());
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-------"));
    Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("rwxrwx---"));
    assertTrue(run("", "whoami").errors().contains("others can write"));
  }

  @Test
  void aTokenInTheEnvironmentWins() throws Exception {
    Map<String, String> environment =
        Map.of("XDG_CONFIG_HOME", home.toString(), "SEATFAST_BEARER", TOKEN);
    String[] words = {"whoami", "--url", service.url().toString()};
    assertEquals(0, ServiceProcess.runToEnd(environment, words).exitCode());
    assertFalse(Files.exists(kept));
  }

  @Test
  void aPersonConfirmsACodeOfTheProviderAndIsRenewedWithoutBeingAskedAgain() throws Exception {
    provider.lifeSeconds(20); // ends soon from the beginning
    ServiceProcess.Output login = loginThroughProvider(DeviceFlowProvider.CLIENT_ID);
    assertEquals(0, login.exitCode(), login.errors());
    assertTrue(login.errors().contains("enter the code WDJB-MJHT"), login.errors());
    assertTrue(login.output().contains("tenant   t1\n"), login.output());
    assertTrue(login.output().contains("user     anna\n"), login.output());
    assertTrue(login.output().contains("scopes   hold read\n"), login.output());
    String first = Files.readString(file());
    assertTrue(first.contains("refresh-secret-"));
    provider.lifeSeconds(600);
    assertEquals(0, run("", "whoami").exitCode());
    String second = Files.readString(file());
    assertFalse(second.equals(first), "the provider's refresh tokens work once");
    assertEquals("rw-------", permissions(file()));
    assertEquals(0, run("", "whoami").exitCode());
    assertEquals(second, Files.readString(file()), "it is good for long enough");
    assertEquals(1, provider.asked().stream().filter("refresh_token"::equals).count());
  }

  @Test
  void whatTheProviderRefusesEndsTheLogin() throws Exception {
    ServiceProcess.Output unknown = loginThroughProvider("another-client");
    assertEquals(1, unknown.exitCode());
    assertTrue(unknown.errors().contains("invalid_client"), unknown.errors());
    provider.refuse("access_denied");
    ServiceProcess.Output denied = loginThroughProvider(DeviceFlowProvider.CLIENT_ID);
    assertEquals(1, denied.exitCode());
    assertTrue(denied.errors().contains("access_denied"), denied.errors());
    assertFalse(Files.exists(kept));
  }

  @Test
  void argumentsThatCannotBeEndTheCommandWithItsUsage() throws Exception {
    String url = service.url().toString();
    for (String[] words :
        List.of(
            new String[] {"login"},
            new String[] {"login", "--url"},
            new String[] {"login", "--url", url, "--issuer", provider.issuer()},
            new String[] {"whoami", "--url", url, "--url", url},
            new String[] {"logout", "--token", TOKEN})) {
      ServiceProcess.Output output = ServiceProcess.runToEnd(Map.of(), words);
      assertEquals(2, output.exitCode(), output.errors());
      assertTrue(output.errors().contains("usage: login"), output.errors());
    }
    for (String unsafe :
        List.of("http://seatfast.example", "https://me:secret@seatfast.example", "seatfast")) {
      ServiceProcess.Output output = ServiceProcess.runToEnd(Map.of(), "login", "--url", unsafe);
      assertEquals(2, output.exitCode());
      assertTrue(output.errors().contains("must be an https URL"), output.errors());
      assertFalse(output.errors().contains("secret"));
    }
  }

  private ServiceProcess.Output run(String input, String command) throws Exception {
    return ServiceProcess.runToEnd(
        input,
        Map.of("XDG_CONFIG_HOME", home.toString()),
        command,
        "--url",
        service.url().toString());
  }

  private ServiceProcess.Output loginThroughProvider(String clientId) throws Exception {
    return ServiceProcess.runToEnd(
        Map.of("XDG_CONFIG_HOME", home.toString()),
        "login",
        "--url",
        service.url() + "/",
        "--issuer",
        provider.issuer(),
        "--client-id",
        clientId);
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private Path file() throws IOException {
    return files().get(0);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(kept)) {
      return all.toList();
    }
  }
}

package dev.seatfast.description;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.seatfast.support.ServiceProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Generates clients from the served description, compiles them, and lets each use the service. The
 * one in TypeScript needs Node.js. It is skipped where there is none, or no way to its packages,
 * unless {@code -Dclients=required}.
 */
class GeneratedClientsIT {

  private static final String TOKEN = "operators-token";
  private static final Path CLIENTS = Path.of("src", "clients").toAbsolutePath();
  private static final Path OUTPUT = Path.of("target", "clients").toAbsolutePath();
  private static final int MINUTES_MAX = 10;

  @TempDir static Path folder;
  private static ServiceProcess service;

  @BeforeAll
  static void keepTheServedDescription() throws Exception {
    Map<String, String> settings = new HashMap<>(ServiceProcess.onEmbeddedDatabase(folder));
    settings.put("SEATFAST_INTERNAL_TOKEN", TOKEN);
    settings.put("SEATFAST_IDEMPOTENCY_REJECT_MISMATCH", "true");
    service = ServiceProcess.start(settings);
    Files.createDirectories(OUTPUT);
    Files.writeString(
        OUTPUT.resolve("openapi.yaml"),
        service.client().get("/q/openapi", TOKEN).response().body());
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      service.close();
    }
  }

  @Test
  void aClientInTypeScriptReservesHoldsConfirmsAndFails() throws Exception {
    Path client = CLIENTS.resolve("typescript");
    boolean required = System.getProperty("clients", "").equals("required");
    skipUnless(required || isThere("npm"), "there is no Node.js with npm here");
    Run install =
        run(client, "npm", "ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund");
    skipUnless(required || install.exitCode() == 0, "no packages from npm: " + install.output());
    assertEquals(0, install.exitCode(), install::output);
    succeed(client, "npm", "run", "generate");
    succeed(client, "npm", "run", "compile");
    succeed(client, "npm", "run", "start", "--", service.url().toString(), TOKEN);
  }

  @Test
  void aClientInJavaReservesHoldsConfirmsAndFails() throws Exception {
    succeed(
        Path.of("").toAbsolutePath(),
        "./mvnw",
        "-B",
        "-ntp",
        "-f",
        CLIENTS.resolve("java").toString(),
        "compile",
        "exec:java",
        "-Dexec.args=" + service.url() + " " + TOKEN);
  }

  private static void skipUnless(boolean possible, String reason) {
    if (!possible) {
      System.out.println("SKIPPED: the client in TypeScript, because " + reason);
      abort(reason);
    }
  }

  private record Run(int exitCode, String output) {}

  private static void succeed(Path directory, String... command) throws Exception {
    Run run = run(directory, command);
    assertEquals(0, run.exitCode(), run::output);
  }

  private static Run run(Path directory, String... command)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "run", ".log");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertTrue(
          process.waitFor(MINUTES_MAX, TimeUnit.MINUTES), () -> "Hangs: " + List.of(command));
    } finally {
      process.destroyForcibly();
    }
    return new Run(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
  }

  private static boolean isThere(String command) throws InterruptedException {
    try {
      return run(folder, command, "--version").exitCode() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}

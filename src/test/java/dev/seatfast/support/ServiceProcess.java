package dev.seatfast.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * The packaged service as a process of its own, as users run it: the native executable if this
 * build made one, else the jar.
 */
public final class ServiceProcess implements AutoCloseable {

  private static final Duration START_TIME_MAX = Duration.ofSeconds(120);

  private final Process process;
  private final URI url;
  private final Path log;

  private ServiceProcess(Process process, URI url, Path log) {
    this.process = process;
    this.url = url;
    this.log = log;
  }

  /** Starts it on a free port without waiting for it. */
  public static ServiceProcess launch(Map<String, String> environment, String... arguments)
      throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Path log = Files.createTempFile(Path.of("target"), "service-", ".log");
    Map<String, String> all = new HashMap<>(environment);
    all.putIfAbsent("QUARKUS_HTTP_PORT", Integer.toString(port));
    all.putIfAbsent("QUARKUS_HTTP_HOST", "127.0.0.1");
    List<String> command = command();
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().keySet().removeIf(name -> name.matches("(QUARKUS|SEATFAST|AWS)_.*"));
    builder.environment().putAll(all);
    return new ServiceProcess(builder.start(), URI.create("http://127.0.0.1:" + port), log);
  }

  /** What a process that ended by itself printed. */
  public record Output(int exitCode, String output, String errors) {}

  /** Runs one of its commands, and waits until it has ended. */
  public static Output runToEnd(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    return runToEnd("", environment, arguments);
  }

  /** Runs one of its commands on this standard input, and waits until it has ended. */
  public static Output runToEnd(String input, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    Path given = Files.createTempFile(Path.of("target"), "command-", ".in");
    Files.writeString(given, input);
    List<String> command = command();
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile(Path.of("target"), "command-", ".out");
    Path errors = Files.createTempFile(Path.of("target"), "command-", ".err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectInput(given.toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile());
    builder.environment().keySet().removeIf(name -> name.matches("(QUARKUS|SEATFAST|AWS)_.*"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    if (!process.waitFor(START_TIME_MAX.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("Still running:\n" + Files.readString(errors));
    }
    return new Output(process.exitValue(), Files.readString(output), Files.readString(errors));
  }

  /** Starts it and waits until it is ready. */
  public static ServiceProcess start(Map<String, String> environment) throws IOException {
    ServiceProcess service = launch(environment);
    service.awaitReady();
    return service;
  }

  /** The settings for a durable database of its own in a folder. */
  public static Map<String, String> onEmbeddedDatabase(Path folder) {
    return Map.of(
        "SEATFAST_EMBEDDED_DATABASE",
        "true",
        "SEATFAST_EMBEDDED_DATABASE_DIR",
        folder.toAbsolutePath().toString());
  }

  private static List<String> command() {
    Path executable = Path.of(System.getProperty("native.image.path", "missing"));
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(executable)) {
      command.add(executable.toString());
    } else {
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add("-XX:TieredStopAtLevel=1"); // starts sooner
      command.add("-jar");
      command.add(Path.of("target", "quarkus-app", "quarkus-run.jar").toString());
    }
    return command;
  }

  public void awaitReady() {
    try {
      Awaitility.await()
          .atMost(START_TIME_MAX)
          .pollInterval(Duration.ofMillis(100))
          .until(() -> !process.isAlive() || ready());
    } catch (ConditionTimeoutException e) {
      throw new IllegalStateException("Not ready:\n" + log(), e);
    }
    if (!process.isAlive()) {
      throw new IllegalStateException("Ended with " + process.exitValue() + ":\n" + log());
    }
  }

  public boolean ready() {
    try {
      return client().get("/q/health/ready").status() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  public Client client() {
    return new Client(url);
  }

  public URI url() {
    return url;
  }

  /** The warnings and errors in the log, without the one that says that access is open. */
  public List<String> complaints() {
    return log()
        .lines()
        .filter(line -> line.matches(".*\"level\":\"(WARN|ERROR).*"))
        .filter(line -> !line.contains("seatfast.access is open"))
        .toList();
  }

  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the process is gone. */
  public boolean ended() {
    return !process.isAlive();
  }

  public int awaitExit() {
    try {
      if (!process.waitFor(START_TIME_MAX.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly(); // nobody else would
        throw new IllegalStateException("Still running:\n" + log());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Stops all of it where it is, as a platform freezes a function between two requests. */
  public void freeze() throws IOException {
    signal("STOP");
  }

  /** It goes on, and knows of nothing. */
  public void thaw() throws IOException {
    signal("CONT");
  }

  private void signal(String name) throws IOException {
    try {
      int exit =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
      if (exit != 0) {
        throw new IOException("kill -" + name + " failed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** {@code kill -9}. */
  public void kill() {
    process.destroyForcibly();
    awaitExit();
  }

  /** {@code kill}, without waiting for the end. */
  public void terminate() {
    process.destroy();
  }

  /** {@code kill}, and waits until it has finished what it had begun. */
  @Override
  public void close() {
    process.destroy();
    awaitExit();
  }
}

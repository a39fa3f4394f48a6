package dev.seatfast.support;

import dev.seatfast.embedded.EmbeddedDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A PgBouncer in transaction mode before a database: whatever is left in a session meets somebody
 * else's next transaction. Its program is {@code pgbouncer}, or what the system property {@code
 * pgbouncer.command} names; {@code src/test/tools/newer-pgbouncer} brings one that tracks prepared
 * statements to an older Debian.
 */
public final class PgBouncer implements AutoCloseable {

  /** Whether it knows of prepared statements. */
  public enum Statements {
    /** It does not: two clients may use the same name for different ones. */
    PLAIN,
    /** It gives each session those that its client prepared. Since version 1.21. */
    TRACKING
  }

  private static final String COMMAND = System.getProperty("pgbouncer.command", "pgbouncer");
  private static final int TRACKING_SINCE_MINOR = 21;
  private static final Duration START_TIME_MAX = Duration.ofSeconds(20);
  private static final int SESSIONS_MAX = 4; // so that clients share them all the time

  private final EmbeddedDatabase database;
  private final Statements statements;
  private final Path folder;
  private final int port;
  private final Process process;

  private PgBouncer(
      EmbeddedDatabase database, Statements statements, Path folder, int port, Process process) {
    this.database = database;
    this.statements = statements;
    this.folder = folder;
    this.port = port;
    this.process = process;
  }

  /** Why it can't be had here, if it can't. */
  public static Optional<String> whyNot(Statements statements) {
    Optional<Integer> minor = minorVersion();
    if (minor.isEmpty()) {
      return Optional.of("no PgBouncer is installed");
    }
    return Optional.of("this PgBouncer, 1.%d, does not track statements".formatted(minor.get()))
        .filter(reason -> statements == Statements.TRACKING && minor.get() < TRACKING_SINCE_MINOR);
  }

  private static Optional<Integer> minorVersion() {
    try {
      Process version = new ProcessBuilder(COMMAND, "--version").start();
      String said = new String(version.getInputStream().readAllBytes());
      Matcher number = Pattern.compile("PgBouncer 1\\.(\\d+)").matcher(said);
      return number.find() ? Optional.of(Integer.valueOf(number.group(1))) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Starts one; {@link #whyNot} told that it can be had. */
  public static PgBouncer before(EmbeddedDatabase database, Statements statements)
      throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Path folder = Files.createTempDirectory("pgbouncer-");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path users = folder.resolve("users");
    Path settings = folder.resolve("pgbouncer.ini");
    Files.createFile(
        users, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(users, "\"%s\" \"%s\"\n".formatted(database.user(), database.password()));
    Files.writeString(settings, settings(database, statements, port, users));
    List<String> command = new ArrayList<>(List.of(COMMAND, settings.toString()));
    if (isRoot(folder)) {
      command.addAll(List.of("-u", "nobody")); // it refuses to be root
      UserPrincipal nobody =
          folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
      Files.setOwner(users, nobody);
    }
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    PgBouncer started = new PgBouncer(database, statements, folder, port, process);
    started.awaitAnswer();
    return started;
  }

  private static String settings(
      EmbeddedDatabase database, Statements statements, int port, Path users) {
    String settings =
        """
        [databases]
        * = host=127.0.0.1 port=%d
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = scram-sha-256
        auth_file = %s
        pool_mode = transaction
        default_pool_size = %d
        server_round_robin = 1
        ignore_startup_parameters = extra_float_digits
        """
            .formatted(DatabaseOwner.port(database), port, users, SESSIONS_MAX);
    return minorVersion().orElseThrow() < TRACKING_SINCE_MINOR
        ? settings
        : settings
            + "max_prepared_statements = %d\n"
                .formatted(statements == Statements.TRACKING ? 200 : 0);
  }

  private static boolean isRoot(Path ours) throws IOException {
    return Integer.valueOf(0).equals(Files.getAttribute(ours, "unix:uid"));
  }

  /** For the service. */
  public String jdbcUrl() {
    String parameters = statements == Statements.PLAIN ? "?prepareThreshold=0" : "";
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres" + parameters;
  }

  private void awaitAnswer() {
    Awaitility.await()
        .atMost(START_TIME_MAX)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> !process.isAlive() || answers());
    if (!process.isAlive()) {
      throw new IllegalStateException("PgBouncer ended: " + log());
    }
  }

  private boolean answers() {
    try {
      DriverManager.getConnection(jdbcUrl(), database.user(), database.password()).close();
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private String log() {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(START_TIME_MAX.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

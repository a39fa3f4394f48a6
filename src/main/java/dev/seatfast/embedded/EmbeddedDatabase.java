package dev.seatfast.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * A real PostgreSQL server beside this process, for laptops and tests, with durability switched on.
 *
 * <p>All it needs lives in one folder: the unpacked binaries, {@code data}, {@code server.log} and
 * the password of its only user. The process that holds the lock file owns the server: it starts
 * it, restarts it if it dies, and stops it. Another process that opens the same folder shares the
 * server, and becomes its owner when the first one ends. If an owner was killed, the next one
 * replaces its server, with the same data and port.
 */
public final class EmbeddedDatabase implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(EmbeddedDatabase.class);

  private static final String USER = "seatfast";
  private static final Duration SHARED_SERVER_WAIT_MAX = Duration.ofSeconds(60);
  private static final int START_ATTEMPTS_MAX = 10;
  private static final int RESTART_PAUSE_MS = 500;

  /** Durability is the point, so its settings are spelt out, although they are the defaults. */
  private static final String SERVER_OPTIONS =
      "-c fsync=on -c synchronous_commit=on -c full_page_writes=on"
          + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
          + " -c max_connections=200 -c timezone=UTC";

  private final Path root;
  private final UnprivilegedCommands commands;
  private PostgresCommands postgres;
  private Optional<OwnerLock> ownerLock = Optional.empty();
  private String password;
  private int port;
  private boolean closed;

  private EmbeddedDatabase(Path root, UnprivilegedCommands commands) {
    this.root = root;
    this.commands = commands;
  }

  /**
   * Starts the server of a folder, or joins the one that another process runs there.
   *
   * @param folder of its files; created if missing
   * @param port the TCP port on the loopback address, 0 for any free one
   * @throws EmbeddedDatabaseException if there is none for this platform, or it does not start
   */
  public static EmbeddedDatabase start(Path folder, int port) {
    try {
      return start(folder, port, UnprivilegedCommands.forThisUser());
    } catch (IOException e) {
      throw new EmbeddedDatabaseException(
          "The embedded PostgreSQL could not start in " + folder, e);
    }
  }

  static EmbeddedDatabase start(Path folder, int port, UnprivilegedCommands commands)
      throws IOException {
    Path wanted = Files.createDirectories(folder.toAbsolutePath());
    Path root = commands.reachable(wanted);
    if (!root.equals(wanted)) {
      LOG.infof("The embedded PostgreSQL keeps its data in %s: it cannot reach %s", root, wanted);
    }
    EmbeddedDatabase database = new EmbeddedDatabase(root, commands);
    if (!database.takeOver(port)) {
      database.join();
    }
    LOG.infof("Embedded PostgreSQL on port %d, data in %s", database.port, database.data());
    return database;
  }

  /** The URL for JDBC, without the password. */
  public String jdbcUrl() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
  }

  /** The name of its only user. */
  public String user() {
    return USER;
  }

  /** The password of its only user, which was made with the folder. */
  public String password() {
    return password;
  }

  /** Stops the server if this process owns it. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (ownerLock.isPresent()) {
      try {
        postgres.run("pg_ctl", "stop", "-D", data().toString(), "-m", "fast", "-w", "-t", "20");
      } catch (IOException e) {
        LOG.warnf("The embedded PostgreSQL in %s did not stop: %s", root, e.getMessage());
      }
      ownerLock.get().close();
    }
  }

  /** Becomes the owner of the folder and its server, unless another process is. */
  private synchronized boolean takeOver(int wantedPort) throws IOException {
    Optional<OwnerLock> lock = OwnerLock.tryAcquire(root.resolve("owner.lock"));
    if (lock.isEmpty()) {
      return false;
    }
    try {
      postgres = new PostgresCommands(PostgresBinaries.unpackInto(root), root, commands);
      initialise();
      password = readPassword();
      stopOrphan();
      port = wantedPort == 0 ? usualPort() : wantedPort;
      startServer();
      Files.writeString(root.resolve("port"), port + "\n");
      watch();
      ownerLock = lock;
      return true;
    } finally {
      if (ownerLock.isEmpty()) {
        lock.get().close();
      }
    }
  }

  /** Makes the data folder under another name and renames it, so it is never there half made. */
  private void initialise() throws IOException {
    if (Files.isDirectory(data())) {
      return;
    }
    PostgresBinaries.deleteLeftovers(root, "unfinished-");
    makePassword();
    Path unfinished = Files.createTempDirectory(root, "unfinished-");
    commands.own(root);
    postgres.run(
        "initdb",
        "--pgdata=" + unfinished,
        "--username=" + USER,
        "--pwfile=" + passwordFile(),
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C");
    PostgresBinaries.moveWhole(unfinished, data());
  }

  private void makePassword() throws IOException {
    byte[] secret = new byte[16];
    new SecureRandom().nextBytes(secret);
    Path unfinished =
        Files.createTempFile(
            root,
            "unfinished-",
            "",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(unfinished, HexFormat.of().formatHex(secret) + "\n");
    PostgresBinaries.moveWhole(unfinished, passwordFile());
  }

  private String readPassword() throws IOException {
    if (!Files.isRegularFile(passwordFile())) {
      throw new EmbeddedDatabaseException(
          "%s is missing; without it the data beside it cannot be opened"
              .formatted(passwordFile()));
    }
    return Files.readString(passwordFile()).strip();
  }

  /** Returns the port of the last start, which people may have noted, or else any free one. */
  private int usualPort() throws IOException {
    Path file = root.resolve("port");
    if (Files.exists(file)) {
      int last = Integer.parseInt(Files.readString(file).strip());
      try (ServerSocket socket = new ServerSocket(last, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException e) {
        LOG.infof("Port %d is in use by another process", last);
      }
    }
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Stops the server that a killed owner left, or removes its pid file if it is gone. */
  private void stopOrphan() throws IOException {
    Optional<Postmaster> recorded = Postmaster.recordedIn(data());
    if (recorded.isEmpty()) {
      return;
    }
    Optional<ProcessHandle> orphan =
        ProcessHandle.of(recorded.get().pid()).filter(EmbeddedDatabase::isPostgres);
    if (orphan.isPresent()) {
      LOG.infof("Replacing the PostgreSQL server that an earlier process left in %s", root);
      try {
        postgres.run("pg_ctl", "stop", "-D", data().toString(), "-m", "fast", "-w", "-t", "10");
      } catch (IOException e) {
        orphan.get().destroyForcibly();
      }
    } else {
      // Its process id may be another process's by now, and PostgreSQL would wait for that one.
      Files.deleteIfExists(Postmaster.file(data()));
    }
  }

  private static boolean isPostgres(ProcessHandle process) {
    return process.info().command().map(Path::of).map(Path::getFileName).stream()
        .anyMatch(name -> name.toString().equals("postgres"));
  }

  private void startServer() throws IOException {
    IOException lastFailure = null;
    for (int attempt = 1; attempt <= START_ATTEMPTS_MAX; attempt++) {
      try {
        postgres.run(
            "pg_ctl",
            "start",
            "-D",
            data().toString(),
            "-l",
            root.resolve("server.log").toString(),
            "-w",
            "-t",
            "30",
            "-o",
            SERVER_OPTIONS + " -p " + port);
        return;
      } catch (IOException e) {
        // After a crash the old server's children may need a moment to leave its memory.
        lastFailure = e;
        pause();
      }
    }
    throw new EmbeddedDatabaseException(
        "The embedded PostgreSQL does not start on port %d; see %s"
            .formatted(port, root.resolve("server.log")),
        lastFailure);
  }

  private void watch() throws IOException {
    Postmaster.recordedIn(data())
        .flatMap(postmaster -> ProcessHandle.of(postmaster.pid()))
        .ifPresent(process -> process.onExit().thenRun(this::restart));
  }

  private synchronized void restart() {
    if (closed) {
      return;
    }
    LOG.warnf("The embedded PostgreSQL in %s died; starting it again", root);
    try {
      stopOrphan();
      startServer();
      watch();
    } catch (IOException | RuntimeException e) {
      LOG.errorf("The embedded PostgreSQL in %s stays down: %s", root, e.getMessage());
    }
  }

  /** Shares the server of another process, and takes it over when that process ends. */
  private void join() throws IOException {
    long deadline = System.nanoTime() + SHARED_SERVER_WAIT_MAX.toNanos();
    Optional<Postmaster> ready = Optional.empty();
    while (ready.isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new EmbeddedDatabaseException(
            "Another process holds %s, but its PostgreSQL is not ready".formatted(root));
      }
      pause();
      ready = Postmaster.recordedIn(data()).filter(Postmaster::ready);
    }
    port = ready.get().port();
    password = readPassword();
    Thread heir = new Thread(this::inherit, "embedded-database-heir");
    heir.setDaemon(true);
    heir.start();
  }

  private void inherit() {
    try {
      boolean waiting = true;
      while (waiting) {
        pause();
        synchronized (this) {
          waiting = !closed && !takeOver(port);
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.errorf("The embedded PostgreSQL in %s could not be taken over: %s", root, e.getMessage());
    }
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(RESTART_PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while waiting for PostgreSQL", e);
    }
  }

  private Path data() {
    return root.resolve("data");
  }

  private Path passwordFile() {
    return root.resolve("password");
  }
}

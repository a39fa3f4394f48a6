package dev.seatfast.history.faults;

import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.history.recording.ClockBounds;
import dev.seatfast.history.recording.RunClock;
import dev.seatfast.support.DatabaseOwner;
import dev.seatfast.support.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/** Two instances of the packaged service on one database, and how to harm them. */
public final class Cluster implements AutoCloseable {

  public static final String TOKEN = "a-token";
  public static final int DEFAULT_CAPACITY = 4;
  public static final Duration TIME_TO_LIVE = Duration.ofMillis(400);
  public static final Duration TIME_MAX = Duration.ofMillis(1_000);

  private static final int INSTANCES = 2;
  private static final Duration RECOVERY_MAX = Duration.ofSeconds(120);
  private static final int CLOCK_QUESTIONS = 20;

  private final EmbeddedDatabase database;
  private final DatabaseOwner owner;
  private final Path data;
  private final List<Instance> instances = new ArrayList<>();

  private Cluster(EmbeddedDatabase database) throws SQLException {
    this.database = database;
    this.owner = new DatabaseOwner(database);
    this.data = owner.data();
  }

  /**
   * Starts everything on an empty database in a folder.
   *
   * @param more settings of the service
   */
  public static Cluster start(Path folder, Map<String, String> more)
      throws IOException, SQLException {
    Cluster cluster = new Cluster(EmbeddedDatabase.start(folder, 0));
    try {
      cluster.owner.execute("DROP SCHEMA IF EXISTS seatfast CASCADE"); // of an earlier run
      cluster.owner.migrate();
      // A slow disk: there is time for a crash between a commit and its flush.
      cluster.owner.execute(
          "ALTER SYSTEM SET commit_delay = 10000",
          "ALTER SYSTEM SET commit_siblings = 0",
          "SELECT pg_reload_conf()");
      Map<String, String> settings =
          cluster.owner.settings(
              "SEATFAST_INTERNAL_TOKEN",
              TOKEN,
              "SEATFAST_DEFAULT_CAPACITY",
              Integer.toString(DEFAULT_CAPACITY),
              "SEATFAST_HOLD_TIME_TO_LIVE",
              TIME_TO_LIVE.toString(),
              "SEATFAST_HOLD_TIME_MAX",
              TIME_MAX.toString(),
              "SEATFAST_SWEEP_EVERY",
              "1S",
              "QUARKUS_LOG_CATEGORY__DEV_SEATFAST_DECISIONS__LEVEL",
              "WARN");
      settings.putAll(more);
      for (int i = 0; i < INSTANCES; i++) {
        cluster.instances.add(Instance.launch(DatabaseOwner.port(cluster.database), settings));
      }
      cluster.awaitHealth();
      Runtime.getRuntime().addShutdownHook(new Thread(cluster::closeInAnyCase));
      return cluster;
    } catch (IOException | SQLException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** Where the instances are now; it changes when they start again. */
  public List<Supplier<URI>> urls() {
    return instances.stream().<Supplier<URI>>map(instance -> instance::url).toList();
  }

  List<Instance> instances() {
    return instances;
  }

  /** {@code kill -9} of the server and all its processes; it is started again at once. */
  void killDatabase() throws IOException {
    DatabaseOwner.kill(data);
    awaitDatabase();
  }

  void awaitDatabase() {
    Awaitility.await()
        .atMost(RECOVERY_MAX)
        .pollInterval(Duration.ofMillis(50))
        .ignoreExceptions()
        .until(() -> owner.ask("SELECT 1").equals("1"));
  }

  /** Waits until everything works again. */
  void awaitHealth() {
    awaitDatabase();
    instances.stream().map(Instance::process).forEach(ServiceProcess::awaitReady);
  }

  /** A session of the owner's, past the proxies. */
  public Connection connect() throws SQLException {
    return owner.connect();
  }

  /** How far the database's clock is ahead of the run's. */
  public ClockBounds askClock(RunClock clock) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      ClockBounds bounds = askOnce(statement, clock);
      for (int i = 1; i < CLOCK_QUESTIONS; i++) {
        bounds = bounds.and(askOnce(statement, clock));
      }
      return bounds;
    }
  }

  private static ClockBounds askOnce(Statement statement, RunClock clock) throws SQLException {
    long before = clock.micros();
    try (ResultSet row = statement.executeQuery("SELECT clock_timestamp()")) {
      row.next();
      Timestamp now = row.getTimestamp(1);
      long after = clock.micros();
      return ClockBounds.of(
          before, ChronoUnit.MICROS.between(Instant.EPOCH, now.toInstant()), after);
    }
  }

  /** A run that is interrupted leaves no process behind. */
  private void closeInAnyCase() {
    try {
      close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    for (Instance instance : instances) {
      instance.close();
    }
    database.close();
  }
}

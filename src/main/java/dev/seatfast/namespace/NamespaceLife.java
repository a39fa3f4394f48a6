package dev.seatfast.namespace;

import dev.seatfast.database.DatabaseConfig;
import dev.seatfast.database.NamespaceDeletedException;
import dev.seatfast.database.SqlStates;
import dev.seatfast.database.Tombstone;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jboss.logging.Logger;

/**
 * Does what the configuration says shall become of the namespace, once at the start: migrates it,
 * deletes it, or looks whether somebody else has migrated it. A database that does not answer is
 * asked until it does; whatever else is wrong ends the process with one line that says so.
 */
@Singleton
public class NamespaceLife {

  private static final Logger LOG = Logger.getLogger(NamespaceLife.class);

  private static final int FIRST = 100;
  private static final int RETRY_PAUSE_SECONDS_MAX = 10;

  /** The request that a process was started for shall have the first connection to itself. */
  private static final int CHECK_AFTER_MS = 500;

  private final NamespaceConfig config;
  private final String schema;
  private final Flyway flyway;
  private final Deletion deletion;
  private final SchemaCheck schemaCheck;
  private final Tombstone tombstone;

  NamespaceLife(
      NamespaceConfig config,
      DatabaseConfig engine,
      Flyway flyway,
      Deletion deletion,
      SchemaCheck schemaCheck,
      Tombstone tombstone) {
    this.config = config;
    this.schema = engine.namespace().schema();
    this.flyway = flyway;
    this.deletion = deletion;
    this.schemaCheck = schemaCheck;
    this.tombstone = tombstone;
  }

  private sealed interface Outcome {

    record Done() implements Outcome {}

    /** The same again may work. */
    record NoAnswer(String why) implements Outcome {}

    /** The same again will fail again. */
    record Refused(ExitCode code, String why) implements Outcome {}
  }

  /**
   * For a process that is there for nothing else: deletes or migrates.
   *
   * @return the exit code, 0 if it is done
   */
  public int runOnce() {
    Outcome outcome = attempt(wanted());
    if (outcome instanceof Outcome.NoAnswer noAnswer) {
      LOG.error(noAnswer.why());
      return ExitCode.START_FAULT.code();
    }
    if (outcome instanceof Outcome.Refused refused) {
      LOG.error(refused.why());
      return refused.code().code();
    }
    return 0;
  }

  void start(@Observes @Priority(FIRST) StartupEvent event) {
    if (mode() == MigrationMode.ONLY) {
      return; // the main method does it
    }
    if (config.namespaceState() == NamespaceState.DELETED) {
      tombstone.announce(); // before the first request comes in
    }
    if (mode() == MigrationMode.AT_START) {
      conclude(attempt(wanted()));
    } else if (config.namespaceState() == NamespaceState.DELETED) {
      inBackground(() -> conclude(attempt(wanted())));
    } else {
      inBackground(this::checkLater);
    }
  }

  private MigrationMode mode() {
    return MigrationMode.of(config.migrate(), config.embeddedDatabase());
  }

  private Retries.Step wanted() {
    if (config.namespaceState() == NamespaceState.DELETED) {
      return deletion::run;
    }
    return mode() == MigrationMode.NEVER ? schemaCheck::run : this::migrate;
  }

  private void migrate() throws SQLException {
    refuseIfDeleted();
    try {
      new Migrator(flyway).run();
    } catch (SQLException | FlywayException e) {
      refuseIfDeleted(); // meanwhile
      throw e;
    }
  }

  private void refuseIfDeleted() {
    if (tombstone.look()) {
      throw new NamespaceDeletedException(schema);
    }
  }

  private static Outcome attempt(Retries.Step step) {
    try {
      step.run();
      return new Outcome.Done();
    } catch (NamespaceDeletedException e) {
      return new Outcome.Refused(ExitCode.NAMESPACE_DELETED, e.getMessage());
    } catch (NotMigratedException e) {
      return new Outcome.Refused(ExitCode.NOT_MIGRATED, e.getMessage());
    } catch (FlywayException e) {
      return new Outcome.Refused(ExitCode.START_FAULT, "Not migrated: " + Retries.firstLine(e));
    } catch (SQLException e) {
      return SqlStates.refusesUs(e)
          ? new Outcome.Refused(
              ExitCode.CONFIGURATION_FAULT, "The database can't be used: " + Retries.firstLine(e))
          : new Outcome.NoAnswer("The database does not answer: " + Retries.firstLine(e));
    }
  }

  private void conclude(Outcome first) {
    if (first instanceof Outcome.NoAnswer noAnswer) {
      LOG.warnf("%s. Not ready until it does.", noAnswer.why());
      inBackground(this::repeat);
    } else if (first instanceof Outcome.Refused refused) {
      LOG.error(refused.why());
      Quarkus.asyncExit(refused.code().code());
    }
  }

  private void checkLater() {
    try {
      TimeUnit.MILLISECONDS.sleep(CHECK_AFTER_MS);
    } catch (InterruptedException e) {
      return;
    }
    conclude(attempt(wanted()));
  }

  private void repeat() {
    Outcome outcome = new Outcome.NoAnswer("");
    for (int pause = 1; outcome instanceof Outcome.NoAnswer; pause = nextPause(pause)) {
      try {
        TimeUnit.SECONDS.sleep(pause);
      } catch (InterruptedException e) {
        return;
      }
      outcome = attempt(wanted());
    }
    conclude(outcome);
  }

  private static int nextPause(int pause) {
    return Math.min(2 * pause, RETRY_PAUSE_SECONDS_MAX);
  }

  /** A daemon, so that a stop need not wait for it: what it does is one transaction or nothing. */
  private static void inBackground(Runnable task) {
    Thread thread = new Thread(task, "namespace");
    thread.setDaemon(true);
    thread.start();
  }
}

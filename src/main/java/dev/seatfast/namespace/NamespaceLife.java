package dev.seatfast.namespace;

import dev.seatfast.database.NamespaceDeletedException;
import dev.seatfast.database.NotMigratedException;
import dev.seatfast.database.RefusedException;
import dev.seatfast.database.SchemaCheck;
import dev.seatfast.database.ServerCheck;
import dev.seatfast.database.SqlStates;
import dev.seatfast.database.Tombstone;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.flywaydb.core.api.FlywayException;
import org.jboss.logging.Logger;

/**
 * Brings the namespace to its configured state, once at the start: migrates it, deletes it, or
 * checks that another process has migrated it. While the database does not answer, the service
 * waits and is not ready; any other fault ends the process with one line that says what is wrong.
 */
@Singleton
public class NamespaceLife {

  private static final Logger LOG = Logger.getLogger(NamespaceLife.class);

  private static final int EARLY_OBSERVER = 100;
  private static final int RETRY_PAUSE_SECONDS_MAX = 10;

  /** Leaves the first connection to the request that triggered this cold start. */
  private static final int CHECK_AFTER_MS = 500;

  private final NamespaceConfig config;
  private final Migration migration;
  private final Deletion deletion;
  private final ServerCheck serverCheck;
  private final SchemaCheck schemaCheck;
  private final Tombstone tombstone;

  NamespaceLife(
      NamespaceConfig config,
      Migration migration,
      Deletion deletion,
      ServerCheck serverCheck,
      SchemaCheck schemaCheck,
      Tombstone tombstone) {
    this.config = config;
    this.migration = migration;
    this.deletion = deletion;
    this.serverCheck = serverCheck;
    this.schemaCheck = schemaCheck;
    this.tombstone = tombstone;
  }

  @FunctionalInterface
  private interface Step {
    void run() throws SQLException;
  }

  private sealed interface Outcome {

    record Done() implements Outcome {}

    /** The same again may work. */
    record NoAnswer(String why) implements Outcome {}

    /** The same again will fail again. */
    record Refused(ExitCode code, String why) implements Outcome {}
  }

  /**
   * Migrates or deletes, for a process that was started for nothing else.
   *
   * @return the exit code, 0 if it is done
   */
  public int runOnce() {
    Outcome outcome = attempt(step());
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

  void start(@Observes @Priority(EARLY_OBSERVER) StartupEvent event) {
    if (mode() == MigrationMode.ONLY) {
      return; // the main method does it
    }
    boolean delete = config.namespaceState() == NamespaceState.DELETED;
    if (delete) {
      tombstone.markDeleting(); // before the first request comes in
    }
    if (mode() == MigrationMode.AT_START) {
      conclude(attempt(step()));
    } else if (delete) {
      inBackground(() -> conclude(attempt(step())));
    } else {
      inBackground(this::checkLater);
    }
  }

  private MigrationMode mode() {
    return config.migrate().orElse(MigrationMode.NEVER);
  }

  private Step step() {
    if (config.namespaceState() == NamespaceState.DELETED) {
      return deletion::run;
    }
    return mode() == MigrationMode.NEVER ? this::check : migration::run;
  }

  private void check() throws SQLException {
    schemaCheck.run();
    serverCheck.run();
  }

  private Outcome attempt(Step step) {
    try {
      step.run();
      return new Outcome.Done();
    } catch (NamespaceDeletedException e) {
      return new Outcome.Refused(ExitCode.NAMESPACE_DELETED, e.getMessage());
    } catch (NotMigratedException e) {
      return new Outcome.Refused(ExitCode.NOT_MIGRATED, e.getMessage());
    } catch (RefusedException e) {
      return new Outcome.Refused(ExitCode.CONFIGURATION_FAULT, e.getMessage());
    } catch (FlywayException e) {
      return new Outcome.Refused(ExitCode.START_FAULT, "Not migrated: " + SqlStates.firstLine(e));
    } catch (SQLException e) {
      return outcome(e);
    }
  }

  private Outcome outcome(SQLException e) {
    if (SqlStates.refusesUs(e)
        || SqlStates.forbidden(e)
        || SqlStates.readOnly(e) && mode() == MigrationMode.ONLY) {
      return new Outcome.Refused(
          ExitCode.CONFIGURATION_FAULT, "The database cannot be used: " + SqlStates.firstLine(e));
    }
    if (SqlStates.stillNeeded(e)) {
      return new Outcome.Refused(
          ExitCode.CONFIGURATION_FAULT,
          "Another program needs what would be deleted, so nothing was: " + whatNeedsIt(e));
    }
    return SqlStates.unavailable(e)
        ? new Outcome.NoAnswer("The database does not answer: " + SqlStates.firstLine(e))
        : new Outcome.Refused(
            ExitCode.START_FAULT, "The database refused a statement: " + SqlStates.firstLine(e));
  }

  /** The second line of the message has the details. The third would propose to drop those too. */
  private static String whatNeedsIt(SQLException e) {
    return e.getMessage().lines().limit(2).map(String::strip).collect(Collectors.joining(". "));
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
    conclude(attempt(step()));
  }

  private void repeat() {
    Outcome outcome = new Outcome.NoAnswer("");
    for (int pause = 1; outcome instanceof Outcome.NoAnswer; pause = nextPause(pause)) {
      try {
        TimeUnit.SECONDS.sleep(pause);
      } catch (InterruptedException e) {
        return;
      }
      outcome = attempt(step());
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

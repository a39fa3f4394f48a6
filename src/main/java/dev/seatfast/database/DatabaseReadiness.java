package dev.seatfast.database;

import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;

/**
 * Ready while the database takes writes. A write that was just committed proves it, so a database
 * that is busy with decisions never looks like one that is gone; only when there was none lately
 * does the check ask the database itself, one question at a time. Also ready once the namespace is
 * deleted, but not while it is being deleted.
 */
@Readiness
@Singleton
public class DatabaseReadiness implements AsyncHealthCheck {

  private static final Logger LOG = Logger.getLogger(DatabaseReadiness.class);

  private static final String NAME = "database";
  private static final Duration PROOF_AGE_MAX = Duration.ofSeconds(1);
  private static final Duration ANSWER_TIME_MAX = Duration.ofSeconds(3);

  private final Database database;
  private final SchemaCheck schemaCheck;
  private final DatabaseFaults faults;
  private final Tombstone tombstone;

  /** All who ask at the same time, or within a second, share one question to the database. */
  private final Uni<Boolean> question =
      Uni.createFrom()
          .item(this::takesWrites)
          .runSubscriptionOn(Infrastructure.getDefaultExecutor())
          .memoize()
          .forFixedDuration(PROOF_AGE_MAX);

  DatabaseReadiness(
      Database database, SchemaCheck schemaCheck, DatabaseFaults faults, Tombstone tombstone) {
    this.database = database;
    this.schemaCheck = schemaCheck;
    this.faults = faults;
    this.tombstone = tombstone;
  }

  @Override
  public Uni<HealthCheckResponse> call() {
    if (database.wroteWithin(PROOF_AGE_MAX)) {
      return Uni.createFrom().item(HealthCheckResponse.up(NAME));
    }
    return question
        .ifNoItem()
        .after(ANSWER_TIME_MAX)
        .recoverWithItem(() -> database.wroteWithin(PROOF_AGE_MAX))
        .map(yes -> HealthCheckResponse.named(NAME).status(yes).build());
  }

  private boolean takesWrites() {
    try {
      if (!tombstone.isDeleting()) {
        return schemaCheck.run();
      }
    } catch (SQLException e) {
      LOG.debug("Not ready", faults.translate(e)); // the translation logs what operators must know
    } catch (NotMigratedException | NamespaceDeletedException e) {
      LOG.debugf("Not ready: %s", e.getMessage());
    }
    return tombstone.isDeleted();
  }
}

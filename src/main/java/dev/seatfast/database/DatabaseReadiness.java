package dev.seatfast.database;

import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready while the database answers. An answer that a request just got counts, so a pool that is
 * busy with decisions never looks like a database that is gone; only when there was none lately
 * does the check ask for itself, one question at a time and not for long. Ready too once the
 * namespace is deleted, but not while that is still to be done.
 */
@Readiness
@Singleton
public class DatabaseReadiness implements AsyncHealthCheck {

  private static final String NAME = "database";
  private static final Duration ANSWER_AGE_MAX = Duration.ofSeconds(1);
  private static final Duration PROBE_TIME_MAX = Duration.ofSeconds(3);

  private final Database database;
  private final Tombstone tombstone;
  private final AtomicReference<CompletableFuture<Void>> probe = new AtomicReference<>();

  DatabaseReadiness(Database database, Tombstone tombstone) {
    this.database = database;
    this.tombstone = tombstone;
  }

  @Override
  public Uni<HealthCheckResponse> call() {
    if (answeredLately()) {
      return Uni.createFrom().item(HealthCheckResponse.up(NAME));
    }
    return Uni.createFrom()
        .completionStage(this::probe)
        .ifNoItem()
        .after(PROBE_TIME_MAX)
        .fail()
        .map(answered -> HealthCheckResponse.up(NAME))
        .onFailure()
        .recoverWithItem(
            () -> answeredLately() ? HealthCheckResponse.up(NAME) : HealthCheckResponse.down(NAME));
  }

  private boolean answeredLately() {
    return database.millisSinceLastWrite() < ANSWER_AGE_MAX.toMillis();
  }

  /** Joins the question that is already on its way, if there is one. */
  private CompletionStage<Void> probe() {
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> current = probe.compareAndExchange(null, mine);
    if (current != null) {
      return current.copy();
    }
    Thread thread = new Thread(() -> ask(mine), "readiness");
    thread.setDaemon(true);
    thread.start();
    return mine.copy();
  }

  private void ask(CompletableFuture<Void> answer) {
    try {
      ping();
      answer.complete(null);
    } catch (RuntimeException e) {
      if (tombstone.found()) {
        answer.complete(null); // from now on the answer is the same without the database
      } else {
        answer.completeExceptionally(e);
      }
    } finally {
      probe.set(null);
    }
  }

  /** Fails unless the namespace is there and the server takes writes. */
  private void ping() {
    String readOnly =
        database.one(
            // The function is the last thing that a migration makes.
            """
            SELECT current_setting('transaction_read_only'), '{schema}.settle'::regproc,
                   (SELECT count(*) FROM (SELECT 1 FROM {schema}.seat_pool LIMIT 0) AS nothing)
            """,
            Parameters.Binder.NONE,
            row -> row.getString(1));
    if (readOnly.equals("on")) {
      throw new UnavailableException(
          UnavailableException.Reason.DATABASE, "The server is read-only", null);
    }
  }
}

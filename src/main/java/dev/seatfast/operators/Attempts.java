package dev.seatfast.operators;

import dev.seatfast.database.DatabaseConfig;
import dev.seatfast.engine.PoolKey;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.inject.Singleton;
import java.util.List;
import org.hibernate.jpa.SpecHints;

/** Reads the attempts of a pool. */
@Singleton
class Attempts implements PanacheRepositoryBase<Attempt, Attempt.Key> {

  private final DatabaseConfig config;

  Attempts(DatabaseConfig config) {
    this.config = config;
  }

  /**
   * Reads one page of a pool's attempts in the order of their key. The comparison of rows is a
   * range of the key's index, so that a page costs its own rows, however many come before it.
   *
   * @param after where the page before ended
   */
  List<Attempt> page(PoolKey pool, AttemptCursor after, int limit) {
    return find(
            "poolKey = ?1 and (requestId, owner, generation) > (?2, ?3, ?4)"
                + " order by requestId, owner, generation",
            pool.value(),
            after.requestId(),
            after.owner(),
            after.generation())
        .page(0, limit)
        .withHint(SpecHints.HINT_SPEC_QUERY_TIMEOUT, (int) config.statementTimeMax().toMillis())
        .list();
  }
}

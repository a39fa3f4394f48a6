package dev.holdfast.administration;

import dev.holdfast.engine.PoolKey;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.inject.Singleton;
import java.util.List;

/** Reads attempts, for people who look after a workshop. */
@Singleton
class Attempts implements PanacheRepositoryBase<Attempt, Attempt.Key> {

  /**
   * One page of a pool's attempts, by request id.
   *
   * @param after the last request id of the page before, or an empty string
   */
  List<Attempt> page(PoolKey pool, String after, int limit) {
    return find(
            "poolKey = ?1 and requestId > ?2 order by requestId, generation", pool.value(), after)
        .page(0, limit)
        .list();
  }
}

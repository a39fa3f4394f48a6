package dev.seatfast.operators;

import dev.seatfast.engine.PoolKey;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.inject.Singleton;
import java.util.List;

/** Reads attempts, for people who look after a workshop. */
@Singleton
class Attempts implements PanacheRepositoryBase<Attempt, Attempt.Key> {

  /**
   * One page of a pool's attempts, by request id.
   *
   * @param requestId of the last attempt of the page before, or an empty string
   * @param generation of that attempt
   */
  List<Attempt> page(PoolKey pool, String requestId, int generation, int limit) {
    return find(
            "poolKey = ?1 and (requestId > ?2 or requestId = ?2 and generation > ?3)"
                + " order by requestId, generation",
            pool.value(),
            requestId,
            generation)
        .page(0, limit)
        .list();
  }
}

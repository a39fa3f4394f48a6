package dev.seatfast.engine;

import dev.seatfast.database.Database;
import dev.seatfast.database.RowMapper;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * Several slots of one tenant, held, confirmed, cancelled and extended together: all or none. They
 * share one reservation id and one end, so that time ends all of them at the same instant.
 *
 * <p>Locking policy: one statement, which is one transaction, locks the slots in the order of their
 * keys, whatever order a client names them in. Every other transaction waits for one pool at most,
 * so that no two wait for each other in a circle.
 */
@Singleton
public class SlotGroups {

  /** The most slots of one group. */
  public static final int SLOTS_MAX = 32;

  private final DecisionExecutor executor;
  private final Database database;
  private final EngineConfig config;

  SlotGroups(DecisionExecutor executor, Database database, EngineConfig config) {
    this.executor = executor;
    this.database = database;
    this.config = config;
  }

  /**
   * Holds all of the slots or none.
   *
   * @param slots 1 to {@value #SLOTS_MAX} different ones
   * @return completes with the group's id and end, the same as before if the same slots are held
   *     under this request id already; or with nothing if one of them is taken
   */
  public CompletionStage<Optional<HoldAnswer.Held>> hold(List<PoolKey> slots, HoldRequest request) {
    List<String> keys = slots.stream().sorted().map(PoolKey::value).toList();
    return executor.runWaiting(
        () -> {
          Optional<HoldAnswer.Held> held = holdAll(keys, request);
          if (held.isPresent() && !held.get().replayed()) {
            database.wrote();
          }
          return held;
        });
  }

  private Optional<HoldAnswer.Held> holdAll(List<String> keys, HoldRequest request) {
    return database.one(
        """
        SELECT o_outcome, o_reservation_id, o_expires_at, o_replayed
          FROM {schema}.hold_group(?, ?, ?, ?, make_interval(secs => ?), ?)
        """,
        parameters ->
            parameters
                .addTexts(keys)
                .add(request.requestId())
                .add(request.owner())
                .add(request.reservationId())
                .add(config.hold().timeToLive())
                .add(config.events().enabled()),
        row ->
            row.getString("o_outcome").equals("HELD")
                ? Optional.of(
                    new HoldAnswer.Held(
                        row.getObject("o_reservation_id", UUID.class),
                        keys.size(),
                        RowMapper.instant(row, "o_expires_at"),
                        row.getBoolean("o_replayed")))
                : Optional.empty());
  }

  /**
   * Confirms, cancels or extends all slots of a group or none.
   *
   * @return completes with what became of all of them
   */
  public CompletionStage<Settlement> settle(
      String tenantId, Settlement.Action action, Settlement.Request request) {
    return executor.runWaiting(
        () ->
            database.one(
                """
                SELECT o_outcome, o_seats, o_expires_at
                  FROM {schema}.settle_group(?, ?, ?, ?, make_interval(secs => ?),
                                             make_interval(secs => ?), ?)
                """,
                parameters ->
                    parameters
                        .add(request.reservationId())
                        .add(PoolKey.tenantPrefix(tenantId))
                        .add(action.name())
                        .add(request.owner())
                        .add(config.hold().timeToLive())
                        .add(config.hold().timeMax())
                        .add(config.events().enabled()),
                HoldStore::settlement));
  }
}

package dev.seatfast.engine;

import dev.seatfast.database.Database;
import dev.seatfast.database.Parameters;
import dev.seatfast.database.RowMapper;
import dev.seatfast.database.Session;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * Several slots of one tenant, held, confirmed, cancelled and extended together: all or none. They
 * share one reservation id and one end, so that time ends all of them at the same instant.
 *
 * <p>Locking policy: one transaction that locks the slots in the order of their keys, whatever
 * order a client names them in. Every other transaction locks one pool only, so none can wait for
 * another in a circle.
 */
@Singleton
public class SlotGroups {

  /** The most slots of one group. */
  public static final int SLOTS_MAX = 32;

  private final DecisionExecutor threads;
  private final Database database;
  private final HoldStore holds;
  private final EngineConfig config;

  SlotGroups(DecisionExecutor threads, Database database, HoldStore holds, EngineConfig config) {
    this.threads = threads;
    this.database = database;
    this.holds = holds;
    this.config = config;
  }

  /**
   * Holds all of the slots or none.
   *
   * @param slots 1 to {@value #SLOTS_MAX} different ones
   * @return completes with the group's id and end, the same as before if the same slots are held
   *     under this request id already; or with nothing if one of them can't be had
   */
  public CompletionStage<Optional<HoldAnswer.Held>> hold(List<PoolKey> slots, HoldRequest request) {
    List<String> sorted = slots.stream().map(PoolKey::value).sorted().toList();
    return threads.run(
        () ->
            database.inTransaction(
                session -> {
                  Optional<HoldAnswer.Held> held = holdAll(session, sorted, request);
                  if (held.isEmpty()) {
                    session.rollBack();
                  }
                  return held;
                }));
  }

  private Optional<HoldAnswer.Held> holdAll(
      Session session, List<String> sorted, HoldRequest request) throws SQLException {
    Instant expiresAt =
        now(session).plus(config.hold().timeToLive()).truncatedTo(ChronoUnit.MILLIS);
    HoldAnswer.Held first = null;
    for (String slot : sorted) {
      HoldAnswer answer = holds.holdInGroup(session, new PoolKey(slot), request, expiresAt);
      if (!(answer instanceof HoldAnswer.Held held)
          || (first != null && !held.reservationId().equals(first.reservationId()))) {
        return Optional.empty();
      }
      first = first == null ? held : first;
    }
    if (first.replayed()) {
      boolean same = slotsOf(session, first.reservationId()).equals(sorted);
      return same ? Optional.of(first) : Optional.empty();
    }
    remember(session, first.reservationId(), sorted);
    return Optional.of(first);
  }

  /**
   * Confirms, cancels or extends all slots of a group or none.
   *
   * @return what became of them; why not, for the first one that could not
   */
  public CompletionStage<Settlement> settle(
      String tenantId, Settlement.Action action, Settlement.Request request) {
    return threads.run(
        () ->
            database.inTransaction(
                session -> {
                  Settlement settlement = settleAll(session, tenantId, action, request);
                  if (settlement.outcome() != Settlement.Outcome.DONE) {
                    session.rollBack();
                  }
                  return settlement;
                }));
  }

  private Settlement settleAll(
      Session session, String tenantId, Settlement.Action action, Settlement.Request request)
      throws SQLException {
    Settlement last = new Settlement(Settlement.Outcome.NOT_FOUND, null);
    for (String slot : slotsOf(session, request.reservationId())) {
      last =
          slot.startsWith(PoolKey.tenantPrefix(tenantId))
              ? holds.settleInGroup(session, new PoolKey(slot), action, request)
              : new Settlement(Settlement.Outcome.NOT_FOUND, null);
      if (last.outcome() != Settlement.Outcome.DONE) {
        return last;
      }
    }
    return last;
  }

  private static Instant now(Session session) throws SQLException {
    return session.one(
        "SELECT clock_timestamp() AS now",
        Parameters.Binder.NONE,
        row -> RowMapper.instant(row, "now"));
  }

  private static void remember(Session session, UUID groupId, List<String> sorted)
      throws SQLException {
    session.update(
        "INSERT INTO {schema}.hold_group (group_id, pool_keys) VALUES (?, ?)",
        parameters -> parameters.add(groupId).addTexts(sorted));
  }

  /** In the order of the keys. */
  private static List<String> slotsOf(Session session, UUID groupId) throws SQLException {
    return session
        .first(
            "SELECT pool_keys FROM {schema}.hold_group WHERE group_id = ?",
            parameters -> parameters.add(groupId),
            row -> (String[]) row.getArray("pool_keys").getArray())
        .map(keys -> List.copyOf(new TreeSet<>(Arrays.asList(keys))))
        .orElse(List.of());
  }
}

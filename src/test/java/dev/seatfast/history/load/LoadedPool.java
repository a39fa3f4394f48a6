package dev.seatfast.history.load;

import dev.seatfast.engine.Settlement.Action;
import dev.seatfast.history.recording.Answer;
import dev.seatfast.history.recording.Operation;
import dev.seatfast.history.recording.PoolRecording;
import dev.seatfast.history.recording.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * One pool under load: chooses what clients ask of it, and records what they are told. A pool is
 * given up after some hundred operations, or after a few whose outcome is unknown, so that its
 * history stays easy to check.
 */
public abstract sealed class LoadedPool permits LoadedWorkshop, LoadedSlot {

  private static final int OPERATIONS_MAX = 250;
  private static final int UNKNOWN_MAX = 8;
  private static final int HOLDS_KEPT_MAX = 4;
  private static final int USERS = 3;

  private final Target target;
  private final PoolRecording recording;
  private final List<KnownHold> holds = new ArrayList<>();
  private int begun;
  private int unknown;

  LoadedPool(Target target) {
    this.target = target;
    this.recording = new PoolRecording(target.key().value(), target.defaultCapacity());
  }

  /** A hold that clients know of. */
  record KnownHold(UUID id, Request.Hold request, long end) {}

  Target target() {
    return target;
  }

  /** Everything that was asked of this pool. */
  public PoolRecording recording() {
    return recording;
  }

  /** Chooses the next request. */
  synchronized Request next(Random random) {
    begun++;
    return choose(random);
  }

  abstract Request choose(Random random);

  synchronized boolean exhausted() {
    return begun >= OPERATIONS_MAX || unknown >= UNKNOWN_MAX;
  }

  /** Takes note of what a client was told. */
  synchronized void learn(Operation operation) {
    if (operation.answer() instanceof Answer.Held held
        && operation.request() instanceof Request.Hold hold) {
      keep(new KnownHold(held.reservation(), hold, held.end()));
    } else if (operation.answer() instanceof Answer.Extended extended
        && operation.request() instanceof Request.Settle settle) {
      holds.stream()
          .filter(hold -> hold.id().equals(settle.reservation()))
          .findFirst()
          .ifPresent(hold -> keep(new KnownHold(hold.id(), hold.request(), extended.end())));
    } else if (!operation.answered() && !operation.request().reads()) {
      unknown++;
    }
  }

  private void keep(KnownHold hold) {
    holds.removeIf(other -> other.id().equals(hold.id()));
    holds.add(hold);
    if (holds.size() > HOLDS_KEPT_MAX) {
      holds.remove(0);
    }
  }

  /** The end of the newest hold, in milliseconds since 1970; 0 if there is none. */
  synchronized long newestEnd() {
    return holds.isEmpty() ? 0 : holds.get(holds.size() - 1).end();
  }

  /** Confirms, cancels or extends one of the holds that are known, or one that is not there. */
  final Request settle(Random random, boolean contract) {
    Action action =
        contract || random.nextInt(3) == 0
            ? Action.CONFIRM
            : random.nextInt(3) == 0 ? Action.EXTEND : Action.CANCEL;
    KnownHold hold = known(random);
    String user = hold == null || random.nextInt(10) == 0 ? user(random) : hold.request().user();
    return new Request.Settle(
        action, hold == null ? new UUID(0, random.nextLong()) : hold.id(), user, contract);
  }

  final Request readHold(Random random) {
    KnownHold hold = known(random);
    return hold == null
        ? new Request.ReadHold(new UUID(0, random.nextLong()), user(random))
        : new Request.ReadHold(hold.id(), hold.request().user());
  }

  /** A hold asked for before, again. */
  final Request holdAgain(Random random, Request otherwise) {
    KnownHold hold = known(random);
    return hold == null ? otherwise : hold.request();
  }

  private KnownHold known(Random random) {
    int recent = holds.size() - 1 - random.nextInt(HOLDS_KEPT_MAX);
    return recent < 0 ? null : holds.get(recent);
  }

  static String user(Random random) {
    return "user-" + random.nextInt(USERS);
  }
}

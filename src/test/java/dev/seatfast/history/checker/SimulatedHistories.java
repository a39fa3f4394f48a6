package dev.seatfast.history.checker;

import dev.seatfast.engine.Settlement.Action;
import dev.seatfast.history.model.Rule;
import dev.seatfast.history.model.Terms;
import dev.seatfast.history.recording.Answer;
import dev.seatfast.history.recording.ClockBounds;
import dev.seatfast.history.recording.Operation;
import dev.seatfast.history.recording.PoolHistory;
import dev.seatfast.history.recording.Request;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.UUID;

/** Histories of a right service with several clients, some of whose answers are lost. */
final class SimulatedHistories {

  static final Terms TERMS =
      new Terms(
          SimulatedPool.TIME_TO_LIVE,
          SimulatedPool.TIME_MAX,
          new ClockBounds(-500, 500),
          Rule.all());

  private static final int CLIENTS = 4;
  private static final int MICROS_PER_MILLI = 1_000;
  private static final int LATENCY_MAX = 8 * MICROS_PER_MILLI;
  private static final int LATE_MAX = 100 * MICROS_PER_MILLI;

  private final Random random;
  private final boolean slot;
  private final SimulatedPool pool;
  private final List<UUID> known = new ArrayList<>();
  private final List<Operation> recorded = new ArrayList<>();
  private final PriorityQueue<Sent> sent =
      new PriorityQueue<>(Comparator.comparingLong(Sent::effect));

  private SimulatedHistories(long seed, boolean slot) {
    this.random = new Random(seed);
    this.slot = slot;
    this.pool = new SimulatedPool(random, capacity());
  }

  private record Sent(String client, long begin, long effect, long end, Request request) {}

  static PoolHistory ofWorkshop(long seed, int operations) {
    return new SimulatedHistories(seed, false).run(operations);
  }

  static PoolHistory ofSlot(long seed, int operations) {
    return new SimulatedHistories(seed, true).run(operations);
  }

  private int capacity() {
    return slot ? 1 : 6;
  }

  private PoolHistory run(int operations) {
    for (int client = 0; client < CLIENTS; client++) {
      send("client-" + client, 1_000_000 + random.nextInt(LATENCY_MAX));
    }
    long last = 0;
    while (!sent.isEmpty()) {
      Sent next = sent.poll();
      Answer answer = pool.ask(next.request(), next.effect() / MICROS_PER_MILLI);
      boolean late = next.effect() > next.end();
      record(next, late || random.nextInt(30) == 0 ? new Answer.Unknown("lost") : answer);
      last = Math.max(last, Math.max(next.end(), next.effect()));
      if (!late && recorded.size() + sent.size() < operations) {
        send(next.client(), next.end() + random.nextInt(LATENCY_MAX));
      }
    }
    Answer tables = pool.ask(new Request.ReadTables(), last / MICROS_PER_MILLI + 1);
    long end = last + 2 * MICROS_PER_MILLI;
    record(new Sent("tables", last, last, end, new Request.ReadTables()), tables);
    return new PoolHistory("simulated", capacity(), recorded);
  }

  private void record(Sent sent, Answer answer) {
    if (answer instanceof Answer.Held held) {
      known.add(held.reservation());
    }
    long end = answer instanceof Answer.Unknown ? Operation.NEVER : sent.end();
    recorded.add(
        new Operation(recorded.size(), sent.client(), sent.begin(), end, sent.request(), answer));
  }

  /** Some requests take effect long after their clients gave up, some never. */
  private void send(String client, long begin) {
    long effect = begin + random.nextInt(LATENCY_MAX);
    long end = effect + random.nextInt(LATENCY_MAX);
    Request request = slot ? aboutSlot() : aboutWorkshop();
    switch (random.nextInt(50)) {
      case 0 -> {
        sent.add(new Sent(client, begin, effect + 1 + random.nextInt(LATE_MAX), effect, request));
        send(client, effect);
      }
      case 1 -> {
        record(new Sent(client, begin, effect, end, request), new Answer.Unknown("never begun"));
        send(client, end);
      }
      default -> sent.add(new Sent(client, begin, effect, end, request));
    }
  }

  private Request aboutWorkshop() {
    return switch (random.nextInt(11)) {
      case 10 -> new Request.SetPaused(random.nextInt(4) == 0);
      case 0, 1, 2 -> new Request.Reserve("id-" + random.nextInt(40), 1 + random.nextInt(3));
      case 3, 4 -> new Request.HoldSeats("key-" + random.nextInt(6), user(), 1 + random.nextInt(2));
      case 5, 6 -> settle(false);
      case 7 -> new Request.SetCapacity(4 + random.nextInt(8));
      case 8 -> new Request.ReadHold(reservation(), user());
      default -> new Request.ReadStatus();
    };
  }

  private Request aboutSlot() {
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> new Request.HoldSlot("key-" + random.nextInt(2), user());
      case 3, 4, 5 -> settle(random.nextBoolean());
      case 6 -> new Request.ReadHold(reservation(), user());
      default -> new Request.ReadSlot();
    };
  }

  private Request settle(boolean contract) {
    Action action = contract ? Action.CONFIRM : Action.values()[random.nextInt(3)];
    return new Request.Settle(action, reservation(), user(), contract);
  }

  private UUID reservation() {
    int recent = known.size() - 1 - random.nextInt(3);
    return recent < 0 ? new UUID(1, 1) : known.get(recent);
  }

  private String user() {
    return "user-" + random.nextInt(2);
  }
}

package dev.seatfast.history.load;

import dev.seatfast.history.recording.RunClock;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Teams of clients that keep asking until they are stopped. */
public final class Load {

  private static final int CLIENTS_PER_TEAM = 4;

  private final AtomicBoolean stopped = new AtomicBoolean();
  private final List<Team> teams = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /**
   * What a load needs to know.
   *
   * @param clients how many, in teams of {@value Load#CLIENTS_PER_TEAM}
   * @param instances where the instances are now
   */
  public record Plan(
      int clients, List<Supplier<URI>> instances, String token, int defaultCapacity) {}

  public static Load start(Plan plan, RunClock clock, Tally tally, Random random) {
    Load load = new Load();
    Calls calls = new Calls(plan.token());
    for (int i = 0; i < plan.clients(); i++) {
      if (i % CLIENTS_PER_TEAM == 0) {
        load.teams.add(new Team(plan.defaultCapacity()));
      }
      LoadClient client =
          new LoadClient(
              "client-" + i,
              load.teams.get(load.teams.size() - 1),
              calls,
              plan.instances(),
              clock,
              tally,
              new Random(random.nextLong()),
              load.stopped::get);
      load.threads.add(new Thread(client, "client-" + i));
    }
    load.threads.forEach(Thread::start);
    return load;
  }

  /** Waits until every client has its last answer, and returns the pools that were used. */
  public List<LoadedPool> stop() throws InterruptedException {
    stopped.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    return teams.stream().flatMap(team -> team.pools().stream()).toList();
  }
}

package dev.seatfast.history.load;

import dev.seatfast.history.recording.Answer;
import dev.seatfast.history.recording.Operation;
import dev.seatfast.history.recording.Request;
import dev.seatfast.history.recording.RunClock;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** One client, which asks one thing after another, now of this instance and now of that. */
final class LoadClient implements Runnable {

  private static final int RETRIES_MAX = 3;
  private static final int RETRY_PAUSE_MS_MAX = 200;
  private static final int REFUSED_PAUSE_MS_MAX = 30;
  private static final int PATIENT_MS = 5_000;
  private static final int IMPATIENT_MS_MAX = 500;
  private static final int AROUND_END_MICROS = 3_000;
  private static final int WAIT_FOR_END_MICROS_MAX = 150_000;
  private static final long MICROS_PER_MILLI = 1_000;

  private final String name;
  private final Team team;
  private final Calls calls;
  private final List<Supplier<URI>> instances;
  private final RunClock clock;
  private final Tally tally;
  private final Random random;
  private final BooleanSupplier stopped;

  LoadClient(
      String name,
      Team team,
      Calls calls,
      List<Supplier<URI>> instances,
      RunClock clock,
      Tally tally,
      Random random,
      BooleanSupplier stopped) {
    this.name = name;
    this.team = team;
    this.calls = calls;
    this.instances = instances;
    this.clock = clock;
    this.tally = tally;
    this.random = random;
    this.stopped = stopped;
  }

  @Override
  public void run() {
    try {
      while (!stopped.getAsBoolean()) {
        LoadedPool pool = team.pick(random);
        if (random.nextInt(8) == 0) {
          waitForEnd(pool);
        }
        ask(pool, pool.next(random));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Where a hold ends is where answers go wrong most easily. */
  private void waitForEnd(LoadedPool pool) throws InterruptedException {
    long wait =
        pool.newestEnd() * MICROS_PER_MILLI
            - clock.micros()
            + random.nextInt(2 * AROUND_END_MICROS)
            - AROUND_END_MICROS;
    if (wait > 0 && wait < WAIT_FOR_END_MICROS_MAX) {
      TimeUnit.MICROSECONDS.sleep(wait);
    }
  }

  /** Asks once, or again while the outcome is unknown, as good clients do. */
  private void ask(LoadedPool pool, Request request) throws InterruptedException {
    int instance = random.nextInt(instances.size());
    for (int attempt = 0; attempt <= RETRIES_MAX; attempt++) {
      Outcome outcome = send(pool, request, instance);
      instance = (instance + 1) % instances.size();
      if (outcome instanceof Outcome.NotBegun) {
        tally.notBegun();
        pause(REFUSED_PAUSE_MS_MAX);
      } else if (outcome instanceof Outcome.Told told
          && told.answer() instanceof Answer.Unknown
          && random.nextInt(4) > 0) {
        pause(RETRY_PAUSE_MS_MAX);
      } else {
        return;
      }
    }
  }

  private Outcome send(LoadedPool pool, Request request, int instance) throws InterruptedException {
    int patienceMillis =
        random.nextInt(20) == 0 ? 1 + random.nextInt(IMPATIENT_MS_MAX) : PATIENT_MS;
    URI url = instances.get(instance).get();
    long begin = clock.micros();
    Outcome outcome;
    try {
      outcome = calls.send(url, pool.target(), request, Duration.ofMillis(patienceMillis));
    } catch (Answers.UnexpectedException e) {
      tally.unexpected(e.getMessage());
      outcome = new Outcome.Told(new Answer.Unknown("unexpected"));
    }
    long end = clock.micros();
    if (outcome instanceof Outcome.Told told) {
      String client = name + "@" + instance;
      Operation operation = pool.recording().add(client, begin, end, request, told.answer());
      pool.learn(operation);
      count(operation);
    }
    return outcome;
  }

  private void count(Operation operation) {
    if (!operation.answered()) {
      tally.unknown();
    } else if (operation.request().reads()) {
      tally.read();
    } else {
      tally.decided();
    }
  }

  private void pause(int millisMax) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(1 + random.nextInt(millisMax));
  }
}

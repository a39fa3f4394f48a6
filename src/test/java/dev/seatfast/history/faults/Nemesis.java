package dev.seatfast.history.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Inflicts faults in a random order, each kind as often as it says. */
public final class Nemesis {

  private static final int QUIET_MS = 300;
  private static final int PAUSE_MS_MAX = 500;

  private final Cluster cluster;
  private final Set<Fault> faults;
  private final Random random;
  private final Map<Fault, Integer> inflicted = new EnumMap<>(Fault.class);

  public Nemesis(Cluster cluster, Set<Fault> faults, Random random) {
    this.cluster = cluster;
    this.faults = faults;
    this.random = random;
  }

  /** One round, after which the database is healthy again, and the instances are getting so. */
  public void round() throws IOException, InterruptedException {
    List<Fault> deck = new ArrayList<>();
    faults.forEach(fault -> deck.addAll(Collections.nCopies(fault.perRound(), fault)));
    Collections.shuffle(deck, random);
    TimeUnit.MILLISECONDS.sleep(QUIET_MS);
    for (Fault fault : deck) {
      fault.inflict(cluster, random);
      inflicted.merge(fault, 1, Integer::sum);
      TimeUnit.MILLISECONDS.sleep(random.nextInt(PAUSE_MS_MAX));
    }
    cluster.awaitDatabase();
    TimeUnit.MILLISECONDS.sleep(QUIET_MS);
  }

  /** How often each kind was inflicted. */
  public Map<Fault, Integer> inflicted() {
    return inflicted;
  }
}

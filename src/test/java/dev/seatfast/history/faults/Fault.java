package dev.seatfast.history.faults;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** A way to harm a {@link Cluster}. */
public enum Fault {
  /** A reply of the database gets lost on its way to an instance, often that of a commit. */
  LOSE_REPLY(6) {
    @Override
    void inflict(Cluster cluster, Random random) {
      some(cluster, random).proxy().loseNextReply();
    }
  },

  /** All connections between an instance and the database break. */
  CUT_CONNECTIONS(1) {
    @Override
    void inflict(Cluster cluster, Random random) throws IOException {
      some(cluster, random).proxy().cut();
    }
  },

  /** An instance stands still for a while, longer than clients wait, and then goes on. */
  FREEZE_INSTANCE(2) {
    @Override
    void inflict(Cluster cluster, Random random) throws IOException, InterruptedException {
      Instance instance = some(cluster, random);
      instance.process().freeze();
      try {
        TimeUnit.MILLISECONDS.sleep(FREEZE_MS_MIN + random.nextInt(FREEZE_MS_MORE));
      } finally {
        instance.process().thaw();
      }
    }
  },

  /** {@code kill -9} of an instance. */
  KILL_INSTANCE(1) {
    @Override
    void inflict(Cluster cluster, Random random) throws IOException {
      cluster.awaitHealth(); // so that one instance at least can answer
      some(cluster, random).killAndLaunch();
    }
  },

  /** {@code kill -9} of PostgreSQL. */
  KILL_DATABASE(1) {
    @Override
    void inflict(Cluster cluster, Random random) throws IOException {
      cluster.killDatabase();
    }
  };

  private static final int FREEZE_MS_MIN = 200;
  private static final int FREEZE_MS_MORE = 2_000;

  private final int perRound;

  Fault(int perRound) {
    this.perRound = perRound;
  }

  /** How often it happens in one round. */
  int perRound() {
    return perRound;
  }

  abstract void inflict(Cluster cluster, Random random) throws IOException, InterruptedException;

  private static Instance some(Cluster cluster, Random random) {
    return cluster.instances().get(random.nextInt(cluster.instances().size()));
  }
}

package dev.seatfast.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Passes tasks on to another executor, a few at a time, in the order of their arrival. It keeps
 * tasks that may wait for locks from taking all of its threads.
 */
final class Lane implements Executor {

  private final Executor executor;
  private final int runningMax;
  private final int waitingMax;
  private final Deque<Runnable> waiting = new ArrayDeque<>(); // guarded by this, as all below
  private int running;

  Lane(Executor executor, int runningMax, int waitingMax) {
    this.executor = executor;
    this.runningMax = runningMax;
    this.waitingMax = waitingMax;
  }

  /**
   * @throws RejectedExecutionException if too many tasks wait, or the other executor refuses
   */
  @Override
  public void execute(Runnable task) {
    synchronized (this) {
      if (running == runningMax) {
        if (waiting.size() == waitingMax) {
          throw new RejectedExecutionException();
        }
        waiting.add(task);
        return;
      }
      running++;
    }
    try {
      executor.execute(() -> runFrom(task));
    } catch (RejectedExecutionException e) {
      synchronized (this) {
        running--;
      }
      throw e;
    }
  }

  private void runFrom(Runnable first) {
    Runnable task = first;
    while (task != null) {
      try {
        task.run();
      } finally {
        task = handOver(next());
      }
    }
  }

  private synchronized Runnable next() {
    Runnable next = waiting.poll();
    running -= next == null ? 1 : 0;
    return next;
  }

  /** Returns the task if the other executor refuses it: what was taken in is run all the same. */
  private Runnable handOver(Runnable task) {
    if (task == null) {
      return null;
    }
    try {
      executor.execute(() -> runFrom(task));
      return null;
    } catch (RejectedExecutionException e) {
      return task;
    }
  }
}

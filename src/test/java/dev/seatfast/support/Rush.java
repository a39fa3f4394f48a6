package dev.seatfast.support;

import dev.seatfast.support.Client.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients that keep reserving, each request with an id of its own, and remember every decision they
 * were told. Broken connections and 503 are part of the game; they are not decisions.
 */
public final class Rush implements AutoCloseable {

  private final Map<String, Integer> statuses = new ConcurrentHashMap<>();
  private final AtomicInteger unexpected = new AtomicInteger();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();
  private final String workshop;

  private Rush(String workshop) {
    this.workshop = workshop;
  }

  public static Rush start(Client client, String workshop, int clients) {
    Rush rush = new Rush(workshop);
    for (int i = 0; i < clients; i++) {
      String prefix = "client-" + i + "-";
      Thread thread = new Thread(() -> rush.reserve(client, prefix));
      rush.threads.add(thread);
      thread.start();
    }
    return rush;
  }

  private void reserve(Client client, String prefix) {
    for (int n = 0; !stopped.get(); n++) {
      try {
        Answer answer = client.reserve(workshop, prefix + n, 1);
        if (answer.decided()) {
          statuses.put(prefix + n, answer.status());
        } else if (answer.status() != 503) {
          unexpected.incrementAndGet();
        }
      } catch (IOException e) {
        Thread.onSpinWait(); // the service or its database is being killed
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  public int decisions() {
    return statuses.size();
  }

  /** Answers that were neither a decision nor a 503. */
  public int unexpected() {
    return unexpected.get();
  }

  /** What the clients were told: the status code of each request id. */
  public Map<String, Integer> told() {
    return statuses;
  }

  @Override
  public void close() {
    stopped.set(true);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

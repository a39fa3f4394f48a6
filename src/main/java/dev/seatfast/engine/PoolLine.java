package dev.seatfast.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The requests that wait for one pool, in the order of their arrival. Not thread-safe. */
final class PoolLine {

  private final PoolKey pool;
  private final Deque<Waiting<?, ?>> requests = new ArrayDeque<>();
  private final Map<Waiting.Id, Waiting<?, ?>> byId = new HashMap<>();
  private int size;

  PoolLine(PoolKey pool) {
    this.pool = pool;
  }

  PoolKey pool() {
    return pool;
  }

  boolean isEmpty() {
    return requests.isEmpty();
  }

  /** The number of requests, with those that joined others. */
  int size() {
    return size;
  }

  /** The kind of the request at the front. */
  RequestKind<?, ?> kind() {
    return requests.element().kind();
  }

  /** Adds a request, or lets it join one with the same id that still waits. */
  @SuppressWarnings("unchecked") // requests with equal ids are of one kind
  <Q, A> CompletableFuture<A> add(Waiting<Q, A> waiting) {
    size++;
    Waiting<Q, A> same = (Waiting<Q, A>) byId.putIfAbsent(waiting.id(), waiting);
    if (same != null) {
      return same.join();
    }
    requests.add(waiting);
    return waiting.answer();
  }

  /** Takes the requests at the front that are of one kind and have different ids. */
  List<Waiting<?, ?>> take(int requestsMax) {
    RequestKind<?, ?> kind = kind();
    List<Waiting<?, ?>> taken = new ArrayList<>();
    Set<Waiting.Id> ids = new HashSet<>();
    while (taken.size() < requestsMax
        && !requests.isEmpty()
        && requests.element().kind() == kind
        && ids.add(requests.element().id())) {
      Waiting<?, ?> waiting = requests.remove();
      byId.remove(waiting.id(), waiting);
      size -= waiting.size();
      taken.add(waiting);
    }
    return taken;
  }

  /** Puts requests that were taken but not decided back to the front. */
  void putBack(List<Waiting<?, ?>> taken) {
    ListIterator<Waiting<?, ?>> last = taken.listIterator(taken.size());
    while (last.hasPrevious()) {
      Waiting<?, ?> waiting = last.previous();
      requests.addFirst(waiting);
      byId.put(waiting.id(), waiting);
      size += waiting.size();
    }
  }
}

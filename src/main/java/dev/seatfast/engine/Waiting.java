package dev.seatfast.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A request that waits for its decision, with those that joined it. */
final class Waiting<Q, A> {

  private final RequestKind<Q, A> kind;
  private final Q request;
  private final long sinceNanos;
  private final CompletableFuture<A> answer = new CompletableFuture<>();
  private final List<CompletableFuture<A>> joined = new ArrayList<>(0);

  Waiting(RequestKind<Q, A> kind, Q request, long sinceNanos) {
    this.kind = kind;
    this.request = request;
    this.sinceNanos = sinceNanos;
  }

  /**
   * What identifies a request among those of its pool. Not a record: in a native executable a
   * record's own equals is interpreted, which is slow.
   */
  static final class Id {

    private final RequestKind<?, ?> kind;
    private final Object id;

    private Id(RequestKind<?, ?> kind, Object id) {
      this.kind = kind;
      this.id = id;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Id that && kind == that.kind && id.equals(that.id);
    }

    @Override
    public int hashCode() {
      return id.hashCode();
    }
  }

  RequestKind<Q, A> kind() {
    return kind;
  }

  Q request() {
    return request;
  }

  long sinceNanos() {
    return sinceNanos;
  }

  CompletableFuture<A> answer() {
    return answer;
  }

  Id id() {
    return new Id(kind, kind.id().apply(request));
  }

  /** Adds a request with the same id; only while this one has not been taken from its queue. */
  CompletableFuture<A> join() {
    CompletableFuture<A> another = new CompletableFuture<>();
    joined.add(another);
    return another;
  }

  /** The number of requests that this answers. */
  int size() {
    return 1 + joined.size();
  }

  void complete(A decision) {
    answer.complete(decision);
    if (!joined.isEmpty()) {
      A replay = kind.replay().apply(decision);
      joined.forEach(another -> another.complete(replay));
    }
  }

  void fail(Throwable fault) {
    answer.completeExceptionally(fault);
    joined.forEach(another -> another.completeExceptionally(fault));
  }
}

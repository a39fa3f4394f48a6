package dev.seatfast.engine;

import dev.seatfast.database.RolledBackException;
import dev.seatfast.database.UnavailableException;
import dev.seatfast.engine.RequestKind.Batch;
import dev.seatfast.engine.RequestKind.Outcome;
import dev.seatfast.engine.Turn.Result;
import dev.seatfast.engine.Turn.Taken;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Runs the transaction of one turn. It knows no queue and holds no lock. */
final class TurnRunner {

  private TurnRunner() {}

  /**
   * Returns a result for each pool of the turn, in their order; never throws. If the database undid
   * a transaction of several pools, each of them gets a transaction of its own: the fault may be of
   * one of them. If it refused the requests of one pool, each of those goes alone: then only the
   * one at fault fails.
   */
  static List<Result> run(Turn turn) {
    return turn.pools().isEmpty() ? List.of() : runTyped(turn);
  }

  private static <Q, A> List<Result> runTyped(Turn turn) {
    List<List<Waiting<Q, A>>> pools = turn.pools().stream().map(TurnRunner::<Q, A>typed).toList();
    try {
      List<Outcome<A>> outcomes = decide(turn, pools);
      List<Result> results = new ArrayList<>();
      for (int i = 0; i < pools.size(); i++) {
        results.add(result(turn, pools.get(i), outcomes.get(i)));
      }
      return results;
    } catch (RolledBackException e) {
      return pools.size() > 1 ? postponed(pools.size()) : List.of(oneByOne(turn, pools.get(0), e));
    } catch (UnavailableException e) {
      return pools.size() > 1 && e.reason() == UnavailableException.Reason.UNDONE
          ? postponed(pools.size())
          : failed(turn, e);
    } catch (Throwable e) {
      return failed(turn, e);
    }
  }

  private static <Q, A> List<Outcome<A>> decide(Turn turn, List<List<Waiting<Q, A>>> pools) {
    List<Batch<Q>> batches = new ArrayList<>();
    for (int i = 0; i < pools.size(); i++) {
      List<Q> requests = pools.get(i).stream().map(Waiting::request).toList();
      batches.add(new Batch<>(turn.pools().get(i).line().pool(), requests));
    }
    return pools.get(0).get(0).kind().decider().decide(batches, turn.mayWait());
  }

  private static <Q, A> Result result(Turn turn, List<Waiting<Q, A>> requests, Outcome<A> outcome) {
    if (outcome instanceof Outcome.Decided<A> decided) {
      if (decided.answers().size() != requests.size()) {
        throw new IllegalStateException(
            decided.answers().size() + " answers to " + requests.size() + " requests");
      }
      return new Result.Answered(
          () -> {
            for (int n = 0; n < requests.size(); n++) {
              requests.get(n).complete(decided.answers().get(n));
            }
          });
    }
    if (turn.mayWait()) {
      throw new IllegalStateException("A pool is locked after waiting for it, or does not exist");
    }
    return new Result.Postponed();
  }

  /** The database refused one of the requests, so each gets a transaction of its own. */
  private static <Q, A> Result oneByOne(
      Turn turn, List<Waiting<Q, A>> requests, RolledBackException fault) {
    if (requests.size() == 1) {
      return new Result.Failed(List.copyOf(requests), fault);
    }
    PoolLine line = turn.pools().get(0).line();
    List<Result> results = new ArrayList<>();
    for (Waiting<Q, A> one : requests) {
      Result result = run(new Turn(List.of(new Taken(line, List.of(one))), true)).get(0);
      results.add(result);
    }
    return new Result.Answered(() -> results.forEach(Result::tell));
  }

  private static List<Result> postponed(int pools) {
    return Collections.nCopies(pools, new Result.Postponed());
  }

  private static List<Result> failed(Turn turn, Throwable fault) {
    return turn.pools().stream()
        .<Result>map(taken -> new Result.Failed(taken.requests(), fault))
        .toList();
  }

  @SuppressWarnings("unchecked") // all requests of a turn are of one kind
  private static <Q, A> List<Waiting<Q, A>> typed(Taken taken) {
    return (List<Waiting<Q, A>>) (List<?>) taken.requests();
  }
}

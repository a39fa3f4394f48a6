package dev.seatfast.engine;

import dev.seatfast.database.Parameters;
import dev.seatfast.database.RowMapper;
import dev.seatfast.engine.RequestKind.Batch;
import dev.seatfast.engine.RequestKind.Outcome;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Batches of several pools, as one statement passes them to a function that decides one pool's: in
 * the order of their keys, with the requests of all of them in common arrays.
 */
final class PoolBatches<Q> {

  private final List<Batch<Q>> inOrder;

  /** For each batch as it was given, its place in that order. */
  private final int[] places;

  PoolBatches(List<Batch<Q>> batches) {
    List<Integer> given =
        IntStream.range(0, batches.size())
            .boxed()
            .sorted(Comparator.comparing((Integer i) -> batches.get(i).pool()))
            .toList();
    inOrder = given.stream().map(batches::get).toList();
    places = new int[batches.size()];
    for (int place = 0; place < places.length; place++) {
      places[given.get(place)] = place;
    }
  }

  /** Binds the keys, and for each pool the first and the last of its requests, counted from 1. */
  void bindPools(Parameters parameters) throws SQLException {
    List<Integer> firsts = new ArrayList<>();
    List<Integer> lasts = new ArrayList<>();
    int requests = 0;
    for (Batch<Q> batch : inOrder) {
      firsts.add(requests + 1);
      requests += batch.requests().size();
      lasts.add(requests);
    }
    parameters
        .addTexts(inOrder.stream().map(batch -> batch.pool().value()).toList())
        .addIntegers(firsts)
        .addIntegers(lasts);
  }

  /** One value of each request. */
  <T> List<T> each(Function<Q, T> value) {
    return inOrder.stream().flatMap(batch -> batch.requests().stream()).map(value).toList();
  }

  /** An answer as it came back, or null for a pool that is locked. */
  record Row<A>(int ordinal, A answer) {}

  /** Reads the column {@code ordinal} beside what the other mapper reads. */
  static <A> RowMapper<Row<A>> rows(RowMapper<A> answer) {
    return (ResultSet row) -> new Row<>(row.getInt("ordinal"), answer.map(row));
  }

  /**
   * Sorts the rows by pool.
   *
   * @return an outcome for each batch in the order in which they were given; a pool with no row, or
   *     with a row that says so, is locked
   */
  <A> List<Outcome<A>> outcomes(List<Row<A>> rows) {
    List<List<A>> answers = new ArrayList<>();
    inOrder.forEach(batch -> answers.add(new ArrayList<>()));
    rows.forEach(row -> answers.get(row.ordinal() - 1).add(row.answer()));
    return IntStream.of(places).mapToObj(place -> outcome(answers.get(place))).toList();
  }

  static <A> Outcome<A> outcome(List<A> answers) {
    return answers.isEmpty() || answers.contains(null)
        ? new Outcome.Locked<>()
        : new Outcome.Decided<>(answers);
  }
}

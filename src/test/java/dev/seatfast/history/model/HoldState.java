package dev.seatfast.history.model;

/**
 * A hold at one point of the order.
 *
 * @param firstEnd the end that it was made with
 * @param end the end that it has, in milliseconds since 1970 on the database's clock
 */
record HoldState(String key, String user, int seats, Stage stage, long firstEnd, long end) {

  enum Stage {
    HELD,
    CONFIRMED,
    CANCELLED,
    EXPIRED
  }

  boolean stands() {
    return stage == Stage.HELD || stage == Stage.CONFIRMED;
  }

  HoldState in(Stage other) {
    return new HoldState(key, user, seats, other, firstEnd, end);
  }

  HoldState until(long other) {
    return new HoldState(key, user, seats, stage, firstEnd, other);
  }
}

package dev.seatfast.history.checker;

import dev.seatfast.history.recording.Operation;
import java.util.function.IntConsumer;

/** The operations that have begun and not ended, each in a place of its own. */
final class Pending {

  static final int PLACES = Long.SIZE;

  private final Operation[] places = new Operation[PLACES];
  private int used;

  /** Whether there is a place left. */
  boolean add(Operation operation) {
    for (int place = 0; place < PLACES; place++) {
      if (places[place] == null) {
        places[place] = operation;
        used = Math.max(used, place + 1);
        return true;
      }
    }
    return false;
  }

  int placeOf(Operation operation) {
    for (int place = 0; place < used; place++) {
      if (places[place] == operation) {
        return place;
      }
    }
    throw new IllegalStateException(operation + " is not pending");
  }

  void remove(int place) {
    places[place] = null;
  }

  Operation at(int place) {
    return places[place];
  }

  /** Visits those that are not in the order yet. */
  void eachMissingIn(Configuration configuration, IntConsumer visit) {
    for (int place = 0; place < used; place++) {
      if (places[place] != null
          && !configuration.contains(place)
          && !repeatsAnother(configuration, place)) {
        visit.accept(place);
      }
    }
  }

  /** Of equal requests without an answer, the first one stands for all until it took effect. */
  private boolean repeatsAnother(Configuration configuration, int place) {
    if (places[place].answered()) {
      return false;
    }
    for (int other = 0; other < used; other++) {
      if (other != place
          && places[other] != null
          && !places[other].answered()
          && !configuration.contains(other)
          && places[other].begin() < places[place].begin()
          && places[other].request().equals(places[place].request())) {
        return true;
      }
    }
    return false;
  }
}

package dev.seatfast.history.recording;

import dev.seatfast.engine.Settlement;
import java.util.UUID;

/** What a client asks of one pool. */
public sealed interface Request {

  /** Whether the request can never change the pool. */
  default boolean reads() {
    return false;
  }

  /** A direct reservation. */
  record Reserve(String requestId, int seats) implements Request {}

  /** A hold. */
  sealed interface Hold extends Request {

    /** The user's own name for it. */
    String key();

    String user();

    int seats();
  }

  /** A hold of seats of a workshop. */
  record HoldSeats(String key, String user, int seats) implements Hold {}

  /** A hold of a slot, through the fixed contract. */
  record HoldSlot(String key, String user) implements Hold {
    @Override
    public int seats() {
      return 1;
    }
  }

  /**
   * A change of a hold.
   *
   * @param contract whether it goes through the fixed slot contract, which knows three reasons only
   */
  record Settle(Settlement.Action action, UUID reservation, String user, boolean contract)
      implements Request {}

  /** An operator's change of the pool's size. */
  record SetCapacity(int capacity) implements Request {}

  /** An operator's pause of a workshop, or its end. */
  record SetPaused(boolean paused) implements Request {}

  /** A workshop's counts. */
  record ReadStatus() implements Request {
    @Override
    public boolean reads() {
      return true;
    }
  }

  /** A hold, as its owner sees it. */
  record ReadHold(UUID reservation, String user) implements Request {
    @Override
    public boolean reads() {
      return true;
    }
  }

  /** A slot, as anybody sees it. */
  record ReadSlot() implements Request {
    @Override
    public boolean reads() {
      return true;
    }
  }

  /** All rows of the pool, read from the tables in one snapshot. */
  record ReadTables() implements Request {
    @Override
    public boolean reads() {
      return true;
    }
  }

  /**
   * The moment at which a hold ends. No client asks for it; it takes its place in the order like a
   * request, as soon as the database's clock reaches it.
   *
   * @param end in milliseconds since 1970 on the database's clock
   */
  record PassEnd(UUID reservation, long end) implements Request {}

  /** The moment from which others see a rejection. */
  record ShowRejection(String requestId) implements Request {}
}

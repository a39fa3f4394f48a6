package dev.seatfast.history.recording;

import java.util.Map;
import java.util.UUID;

/** What a client was told. Ends are in milliseconds since 1970, on the database's clock. */
public sealed interface Answer {

  /** Nothing: the request may have taken effect, may still do so, or never will. */
  record Unknown(String why) implements Answer {}

  /**
   * A direct reservation was decided.
   *
   * @param seats of the first request with this id
   * @param mismatch whether the answer says that the first request asked for other seats
   */
  record Decided(
      boolean accepted, int seats, int capacity, int reserved, boolean replayed, boolean mismatch)
      implements Answer {}

  /** A request to hold something was granted. */
  sealed interface Held extends Answer {

    UUID reservation();

    long end();
  }

  /** A slot is held. The fixed contract does not tell since when. */
  record SlotHeld(UUID reservation, long end) implements Held {}

  /**
   * Seats are held.
   *
   * @param seats of the request that made the hold
   * @param replayed whether that was an earlier one
   * @param mismatch whether the answer says that it asked for other seats
   */
  record SeatsHeld(UUID reservation, long end, int seats, boolean replayed, boolean mismatch)
      implements Held {}

  /** Nothing is held. */
  record Refused() implements Answer {}

  /** Seats can't be taken now; nothing was decided or held. */
  record Shut(String reason) implements Answer {}

  /** A hold was confirmed or cancelled, now or before. */
  record Settled() implements Answer {}

  /** A hold lasts until a new end. */
  record Extended(long end) implements Answer {}

  /** A hold was not changed. */
  record NotSettled(String reason) implements Answer {}

  /** The capacity was set. */
  record CapacitySet() implements Answer {}

  /** It was set when seats may be taken. */
  record OpeningSet() implements Answer {}

  /** More seats are taken than that. */
  record CapacityRefused() implements Answer {}

  /** A workshop's counts. */
  record Status(
      int capacity, int reserved, long acceptedRequests, long rejectedRequests, long acceptedSeats)
      implements Answer {}

  /** A hold. */
  record HoldSeen(String stage, int seats, long end) implements Answer {}

  /** There is no such hold, or it belongs to another user. */
  record HoldMissing() implements Answer {}

  /**
   * A slot.
   *
   * @param end of the hold, or 0 unless it is held
   */
  record SlotSeen(String state, long end) implements Answer {}

  /**
   * The pool's rows. A hold whose end has passed counts as expired here, whether or not a
   * transaction has marked it.
   *
   * @param reserved the pool's own counter, less the seats of expired holds that are not marked
   */
  record Tables(
      int capacity,
      int reserved,
      long acceptedRequests,
      long rejectedRequests,
      long acceptedSeats,
      Map<String, ReservationRow> reservations,
      Map<UUID, HoldRow> holds)
      implements Answer {}

  /** A direct reservation in the tables. */
  record ReservationRow(boolean accepted, int seats) {}

  /**
   * A hold in the tables.
   *
   * @param firstEnd the end it had when it was made
   */
  record HoldRow(String user, int seats, String stage, long firstEnd, long end) {}

  /** What nobody asked for took place. */
  record Happened() implements Answer {}
}

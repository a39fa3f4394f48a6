package dev.seatfast.engine;

/** What a {@link SeatRequest} gets. */
public sealed interface SeatAnswer permits Decision, Shut {

  /** What the same request gets that comes again at the same time. */
  SeatAnswer replay();
}

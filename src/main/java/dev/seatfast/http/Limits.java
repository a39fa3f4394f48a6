package dev.seatfast.http;

import dev.seatfast.engine.Availabilities;
import dev.seatfast.engine.SeatPools;
import dev.seatfast.engine.SeatRequest;
import dev.seatfast.engine.SlotGroups;

/**
 * The forms and sizes of what clients may send. The checks, the errors that name them and the
 * description of the routes all take them from here.
 */
public final class Limits {

  /** The name of a workshop. */
  public static final String WORKSHOP_NAME = "[a-z][a-z0-9-]{0,31}";

  /** A client's own name for a request to a workshop. */
  public static final String REQUEST_ID = "[a-z][a-z0-9-]{2,47}";

  /** The most seats that one request may ask for. */
  public static final int SEATS_MAX = SeatRequest.SEATS_MAX;

  /** The most seats that a workshop may have. */
  public static final int CAPACITY_MAX = SeatPools.CAPACITY_MAX;

  /** The most slots that may be held together. */
  public static final int SLOTS_MAX = SlotGroups.SLOTS_MAX;

  /** The most workshops that may be read at once. */
  public static final int WORKSHOPS_MAX = Availabilities.POOLS_MAX;

  /** The most characters of a text that a client chooses, such as a user's id. */
  public static final int TEXT_LENGTH_MAX = 128;

  /** The most entries of one page. */
  public static final int PAGE_SIZE_MAX = 1000;

  /** The entries of a page if the client does not say. */
  public static final int PAGE_SIZE_DEFAULT = 100;

  /** The largest body, in KiB. */
  public static final int BODY_KIB_MAX = 64;

  private Limits() {}
}

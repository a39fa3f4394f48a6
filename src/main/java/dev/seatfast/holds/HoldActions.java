package dev.seatfast.holds;

import dev.seatfast.engine.Settlement;
import java.util.Locale;

/** The ways to settle a hold, as the routes spell them and as the description explains them. */
public final class HoldActions {

  /** The last segment of a route that settles a hold. The description has one route for each. */
  public static final String PATH = "{action: confirm|cancel|extend}";

  public static final String DESCRIPTION =
      "A confirmed hold lasts for good. A cancelled one gives its seats back, confirmed or not. An"
          + " extended one gets a full time to live from now. Settling twice is the same success"
          + " twice.";

  /** Describes a 200. */
  public static final String DONE = "The hold is settled, now or earlier";

  private HoldActions() {}

  /**
   * @param action one of those in {@link #PATH}
   */
  public static Settlement.Action of(String action) {
    return Settlement.Action.valueOf(action.toUpperCase(Locale.ROOT));
  }
}

package dev.seatfast.holds;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Reads the ids of reservations. */
public final class ReservationIds {

  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private ReservationIds() {}

  /** Empty for a text that no reservation has as its id. */
  public static Optional<UUID> parse(String text) {
    return UUID_TEXT.matcher(text).matches()
        ? Optional.of(UUID.fromString(text))
        : Optional.empty();
  }
}

package dev.seatfast.holds;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Makes and reads the ids of reservations. */
@Singleton
public class ReservationIds {

  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private final Supplier<UUID> source;

  @Inject
  ReservationIds() {
    this(UUID::randomUUID);
  }

  ReservationIds(Supplier<UUID> source) {
    this.source = source;
  }

  /** Returns an id that no reservation has yet. */
  public UUID next() {
    return source.get();
  }

  /** Returns nothing for a text that cannot be the id of a reservation. */
  static Optional<UUID> parse(String text) {
    return UUID_TEXT.matcher(text).matches()
        ? Optional.of(UUID.fromString(text))
        : Optional.empty();
  }
}

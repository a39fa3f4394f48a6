package dev.seatfast.support;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** The longest ids that a client may choose: each has 128 characters of four bytes. */
public record LongIds(String tenant, String resource, String user) {

  private static final int CHARACTERS = 128;
  private static final int FIRST_EMOJI = 0x1F600;
  private static final int EMOJI = 64;

  public static LongIds fresh() {
    return new LongIds(emoji(), emoji(), emoji());
  }

  private static String emoji() {
    return new Random()
        .ints(CHARACTERS, FIRST_EMOJI, FIRST_EMOJI + EMOJI)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** The target of a request that reads a reservation. */
  public String reservation(String id, String start) {
    return "/api/slots/reservations/%s?tenantId=%s&resourceId=%s&slotStartIso=%s&userId=%s"
        .formatted(id, encoded(tenant), encoded(resource), encoded(start), encoded(user));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}

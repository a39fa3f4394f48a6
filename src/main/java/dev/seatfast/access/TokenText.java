package dev.seatfast.access;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * An API token as its owner has it: {@code sf_<id>_<secret><checksum>}. Scanners for leaked secrets
 * know it by its beginning, and the checksum tells a token from anything else without a query.
 *
 * @param id 12 letters and digits, which are no secret
 * @param hash the SHA-256 of the whole text
 */
record TokenText(String id, Sha256 hash) {

  /** What every token begins with. */
  static final String PREFIX = "sf_";

  private static final String DIGITS =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  private static final int ID_LENGTH = 12;

  /** 190 bits. */
  private static final int SECRET_LENGTH = 32;

  /** 32 bits. */
  private static final int CHECKSUM_LENGTH = 6;

  static final Pattern ID = Pattern.compile("[0-9A-Za-z]{" + ID_LENGTH + "}");

  private static final Pattern FORM =
      Pattern.compile(
          "(%s([0-9A-Za-z]{%d})_[0-9A-Za-z]{%d})([0-9A-Za-z]{%d})"
              .formatted(PREFIX, ID_LENGTH, SECRET_LENGTH, CHECKSUM_LENGTH));

  /** A token that was just made: the only time that its text exists here. */
  record Secret(String text, TokenText token) {

    /** The text stays out of logs. */
    @Override
    public String toString() {
      return "Secret of " + token.id();
    }
  }

  static Secret generate(SecureRandom random) {
    String start = PREFIX + digits(random, ID_LENGTH) + "_" + digits(random, SECRET_LENGTH);
    String text = start + checksum(start);
    return new Secret(text, parse(text).orElseThrow());
  }

  /** Empty for a text that is no token, whatever it looks like. */
  static Optional<TokenText> parse(String text) {
    Matcher parts = FORM.matcher(text);
    return parts.matches() && checksum(parts.group(1)).equals(parts.group(3))
        ? Optional.of(new TokenText(parts.group(2), Sha256.of(text)))
        : Optional.empty();
  }

  private static String digits(SecureRandom random, int length) {
    StringBuilder digits = new StringBuilder(length);
    random.ints(length, 0, DIGITS.length()).forEach(i -> digits.append(DIGITS.charAt(i)));
    return digits.toString();
  }

  private static String checksum(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.US_ASCII));
    StringBuilder digits = new StringBuilder(CHECKSUM_LENGTH);
    long rest = crc.getValue();
    for (int i = 0; i < CHECKSUM_LENGTH; i++) {
      digits.append(DIGITS.charAt((int) (rest % DIGITS.length())));
      rest /= DIGITS.length();
    }
    return digits.reverse().toString();
  }
}

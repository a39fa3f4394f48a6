package dev.seatfast.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/** The target of a request as it was sent: a path and a query, percent-encoded. */
public final class RequestTarget {

  /** What RFC 3986 allows besides percent-encoding; many clients send brackets in a query, too. */
  private static final BitSet PLAIN = new BitSet(128);

  static {
    PLAIN.set('a', 'z' + 1);
    PLAIN.set('A', 'Z' + 1);
    PLAIN.set('0', '9' + 1);
    "-._~!$&'()*+,;=:@/?[]".chars().forEach(PLAIN::set);
  }

  private RequestTarget() {}

  /**
   * Whether a target, or a part of one, has only characters that may be in a URI, and whether its
   * percent-encoding is complete and gives UTF-8.
   */
  public static boolean isWellFormed(String target) {
    boolean ascii = true;
    for (int i = 0; i < target.length(); i++) {
      if (target.charAt(i) == '%') {
        int octet = octet(target, i);
        if (octet < 0) {
          return false;
        }
        ascii &= octet < 0x80;
        i += 2;
      } else if (!PLAIN.get(target.charAt(i))) {
        return false;
      }
    }
    return ascii || isUtf8(target);
  }

  /**
   * The octet that is percent-encoded at an index.
   *
   * @return -1 if none is
   */
  private static int octet(String target, int index) {
    if (index + 2 >= target.length()) {
      return -1;
    }
    int high = hexDigit(target.charAt(index + 1));
    int low = hexDigit(target.charAt(index + 2));
    return high < 0 || low < 0 ? -1 : high * 16 + low;
  }

  /** {@link Character#digit} would also take the digits of other scripts. */
  private static int hexDigit(char c) {
    return c < 0x80 ? Character.digit(c, 16) : -1;
  }

  private static boolean isUtf8(String target) {
    ByteBuffer octets = ByteBuffer.allocate(target.length());
    for (int i = 0; i < target.length(); i++) {
      if (target.charAt(i) == '%') {
        octets.put((byte) octet(target, i));
        i += 2;
      } else {
        octets.put((byte) target.charAt(i));
      }
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(octets.flip());
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}

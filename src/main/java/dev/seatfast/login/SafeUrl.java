package dev.seatfast.login;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;

/**
 * A URL that a secret may be sent to: https, or http on the loopback address.
 *
 * @param text in one form for all ways to write it: without a default port, and without a slash at
 *     the end; deploy/tools/seatfast_tools/logins.py makes the same of it
 */
record SafeUrl(String text) {

  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final int LENGTH_MAX = 2_000;

  /**
   * Reads a URL.
   *
   * @param what it is the URL of, for the message
   */
  static SafeUrl of(String what, String text) throws LoginException {
    try {
      URI url = new URI(text);
      String scheme = lower(url.getScheme());
      String host = lower(url.getHost());
      boolean safe = scheme.equals("https") || scheme.equals("http") && LOOPBACK.contains(host);
      if (safe
          && !host.isEmpty()
          && text.length() <= LENGTH_MAX
          && text.chars().allMatch(c -> c > ' ' && c < 0x7f)
          && url.getRawUserInfo() == null
          && url.getRawQuery() == null
          && url.getRawFragment() == null) {
        int standard = scheme.equals("https") ? 443 : 80;
        String port = url.getPort() < 0 || url.getPort() == standard ? "" : ":" + url.getPort();
        String path = url.getRawPath().replaceFirst("/+$", "");
        return new SafeUrl(scheme + "://" + host + port + path);
      }
    } catch (URISyntaxException e) {
      // Said below, like another scheme.
    }
    throw new LoginException(
        what + " must be an https URL, or http on the loopback address, without user and query");
  }

  private static String lower(String text) {
    return text == null ? "" : text.toLowerCase(Locale.ROOT);
  }

  URI resolve(String path) {
    return URI.create(text + path);
  }
}

package dev.seatfast.database;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Makes the short-lived password of an RDS database with IAM authentication: a request to connect,
 * signed locally. See "Connecting using IAM authentication" in the guide of Amazon RDS and "Create
 * a signed AWS API request" in that of IAM. The signer of Amazon's SDK would bring nine libraries,
 * and {@code quarkus-amazon-rds} a whole client: size and start time for these sixty lines.
 */
final class RdsToken {

  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final String SERVICE = "rds-db";
  private static final int EXPIRES_SECONDS = 900; // the most that RDS accepts
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private RdsToken() {}

  /**
   * Makes a token with the AWS credentials in the environment, where Lambda puts them.
   *
   * @throws IllegalStateException if there are none
   */
  static String of(String jdbcUrl, String user, String region) {
    return of(jdbcUrl, user, region, System.getenv(), Clock.systemUTC());
  }

  static String of(
      String jdbcUrl, String user, String region, Map<String, String> environment, Clock clock) {
    String key = required(environment, "AWS_ACCESS_KEY_ID");
    String secret = required(environment, "AWS_SECRET_ACCESS_KEY");
    String time = TIME.format(clock.instant());
    String date = time.substring(0, 8);
    String scope = String.join("/", date, region, SERVICE, "aws4_request");
    SortedMap<String, String> parameters = new TreeMap<>();
    parameters.put("Action", "connect");
    parameters.put("DBUser", user);
    parameters.put("X-Amz-Algorithm", ALGORITHM);
    parameters.put("X-Amz-Credential", key + "/" + scope);
    parameters.put("X-Amz-Date", time);
    parameters.put("X-Amz-Expires", Integer.toString(EXPIRES_SECONDS));
    parameters.put("X-Amz-SignedHeaders", "host");
    String session = environment.get("AWS_SESSION_TOKEN");
    if (session != null) {
      parameters.put("X-Amz-Security-Token", session);
    }
    String query =
        parameters.entrySet().stream()
            .map(parameter -> parameter.getKey() + "=" + encoded(parameter.getValue()))
            .collect(Collectors.joining("&"));
    String server = server(jdbcUrl);
    String request =
        String.join("\n", "GET", "/", query, "host:" + server, "", "host", hex(sha256("")));
    String toSign = String.join("\n", ALGORITHM, time, scope, hex(sha256(request)));
    byte[] signingKey =
        hmac(hmac(hmac(hmac(bytes("AWS4" + secret), date), region), SERVICE), "aws4_request");
    return "%s/?%s&X-Amz-Signature=%s".formatted(server, query, hex(hmac(signingKey, toSign)));
  }

  private static String server(String jdbcUrl) {
    Properties url = Driver.parseURL(jdbcUrl, new Properties());
    return PGProperty.PG_HOST.getOrDefault(url) + ":" + PGProperty.PG_PORT.getOrDefault(url);
  }

  private static String required(Map<String, String> environment, String name) {
    String value = environment.get(name);
    if (value == null) {
      throw new IllegalStateException(name + " is not set");
    }
    return value;
  }

  /** Encodes as RFC 3986 demands, from which the encoding of forms differs in three characters. */
  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes(text));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(bytes(text));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has HmacSHA256", e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}

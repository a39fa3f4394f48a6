package dev.seatfast.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** Against Signature Version 4 as the AWS documentation describes it, computed here once more. */
class RdsTokenTest {

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-03-14T15:09:26Z"), ZoneOffset.UTC);
  private static final String KEY = "AKIDEXAMPLE";
  private static final String SECRET = "a/made+up=secret";
  private static final String HOST = "seatfast.abc123.eu-west-1.rds.amazonaws.com";

  @Test
  void withASessionAsInLambda() throws Exception {
    String session = "a/session+token==";
    assertEquals(
        expected("renter", session),
        parameters(
            RdsToken.of(
                "jdbc:postgresql://" + HOST + ":6432/postgres?sslmode=verify-full",
                "renter",
                "eu-west-1",
                Map.of(
                    "AWS_ACCESS_KEY_ID", KEY,
                    "AWS_SECRET_ACCESS_KEY", SECRET,
                    "AWS_SESSION_TOKEN", session),
                CLOCK)));
  }

  @Test
  void withoutASessionAndForAUserWhoseNameNeedsEscaping() throws Exception {
    assertEquals(
        expected("the renter+1", null),
        parameters(
            RdsToken.of(
                "jdbc:postgresql://" + HOST + ":6432/postgres",
                "the renter+1",
                "eu-west-1",
                Map.of("AWS_ACCESS_KEY_ID", KEY, "AWS_SECRET_ACCESS_KEY", SECRET),
                CLOCK)));
  }

  @Test
  void withoutCredentialsItNamesWhatIsMissing() {
    IllegalStateException fault =
        assertThrows(
            IllegalStateException.class,
            () ->
                RdsToken.of(
                    "jdbc:postgresql://" + HOST + "/postgres",
                    "renter",
                    "eu-west-1",
                    Map.of("AWS_ACCESS_KEY_ID", KEY),
                    CLOCK));
    assertEquals("AWS_SECRET_ACCESS_KEY is not set", fault.getMessage());
  }

  /** The token's parameters, whose order in the token is nobody's business. */
  private static Map<String, String> parameters(String token) {
    String start = HOST + ":6432/?";
    assertEquals(start, token.substring(0, start.length()));
    return Arrays.stream(token.substring(start.length()).split("&"))
        .map(parameter -> parameter.split("=", 2))
        .collect(Collectors.toMap(parameter -> parameter[0], parameter -> parameter[1]));
  }

  /** What they must be, each escaped. */
  private static Map<String, String> expected(String user, String session) throws Exception {
    String time = "20260314T150926Z";
    String scope = "20260314/eu-west-1/rds-db/aws4_request";
    TreeMap<String, String> parameters = new TreeMap<>();
    parameters.put("Action", "connect");
    parameters.put("DBUser", escaped(user));
    parameters.put("X-Amz-Algorithm", "AWS4-HMAC-SHA256");
    parameters.put("X-Amz-Credential", escaped(KEY + "/" + scope));
    parameters.put("X-Amz-Date", time);
    parameters.put("X-Amz-Expires", "900");
    parameters.put("X-Amz-SignedHeaders", "host");
    if (session != null) {
      parameters.put("X-Amz-Security-Token", escaped(session));
    }
    String query =
        parameters.entrySet().stream()
            .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
            .collect(Collectors.joining("&"));
    String request =
        String.join("\n", "GET", "/", query, "host:" + HOST + ":6432", "", "host", sha256(""));
    String toSign = String.join("\n", "AWS4-HMAC-SHA256", time, scope, sha256(request));
    byte[] key = ("AWS4" + SECRET).getBytes(StandardCharsets.UTF_8);
    for (String part : scope.split("/")) {
      key = hmac(key, part);
    }
    parameters.put("X-Amz-Signature", HexFormat.of().formatHex(hmac(key, toSign)));
    return parameters;
  }

  private static String escaped(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String sha256(String text) throws GeneralSecurityException {
    return HexFormat.of()
        .formatHex(
            MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
  }
}

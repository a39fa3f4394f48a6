package dev.seatfast.support;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;

/**
 * An OpenID provider with the device flow on the loopback address. Its user confirms the code as
 * soon as it was asked for twice; each of its refresh tokens works once.
 */
public final class DeviceFlowProvider implements AutoCloseable {

  public static final String CLIENT_ID = "seatfast-cli";

  private final PublicJsonWebKey key = OpenIdProvider.ecKey("key");
  private final HttpServer server;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile String answer = "";
  private volatile int lifeSeconds = 600;
  private volatile int renewals;
  private volatile int polls;

  public DeviceFlowProvider() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    serve("/.well-known/openid-configuration", form -> discovery());
    serve("/keys", form -> new JsonWebKeySet(key).toJson(OutputControlLevel.PUBLIC_ONLY));
    serve("/device", this::begin);
    serve("/token", this::token);
    server.start();
  }

  public String issuer() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Makes it refuse what it is asked for with this code of an error. */
  public void refuse(String error) {
    answer = error;
  }

  /** How long its tokens last from now on. */
  public void lifeSeconds(int seconds) {
    lifeSeconds = seconds;
  }

  /** The grants that it was asked for. */
  public List<String> asked() {
    return List.copyOf(asked);
  }

  private String discovery() {
    return """
        {"issuer": "%1$s", "token_endpoint": "%1$s/token",
         "device_authorization_endpoint": "%1$s/device"}
        """
        .formatted(issuer());
  }

  private String begin(Map<String, String> form) {
    polls = 0;
    return form.get("client_id").equals(CLIENT_ID)
        ? """
          {"device_code": "device-secret", "user_code": "WDJB-MJHT", "interval": 1,
           "verification_uri": "%s/activate", "expires_in": 60}
          """
            .formatted(issuer())
        : error("invalid_client");
  }

  private String token(Map<String, String> form) {
    asked.add(form.get("grant_type"));
    if (!answer.isEmpty()) {
      return error(answer);
    }
    if (form.get("grant_type").equals("refresh_token")) {
      return form.get("refresh_token").equals("refresh-secret-" + renewals)
          ? granted(++renewals)
          : error("invalid_grant");
    }
    if (!form.get("device_code").equals("device-secret")) {
      return error("invalid_grant");
    }
    return ++polls < 2 ? error("authorization_pending") : granted(renewals);
  }

  private String granted(int number) {
    JwtClaims claims =
        OpenIdProvider.claims("anna", Map.of("scope", "read hold", "number", number));
    claims.setIssuer(issuer());
    NumericDate end = NumericDate.now();
    end.addSeconds(lifeSeconds);
    claims.setExpirationTime(end);
    return """
        {"access_token": "%s", "token_type": "Bearer", "expires_in": %d,
         "refresh_token": "refresh-secret-%d"}
        """
        .formatted(OpenIdProvider.sign(claims, "ES256", key), lifeSeconds, number);
  }

  private static String error(String code) {
    return "{\"error\": \"" + code + "\"}";
  }

  private void serve(String path, Function<Map<String, String>, String> route) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            byte[] body = route.apply(form(exchange)).getBytes(StandardCharsets.UTF_8);
            boolean refused = new String(body, StandardCharsets.UTF_8).startsWith("{\"error\"");
            exchange.sendResponseHeaders(refused ? 400 : 200, body.length);
            exchange.getResponseBody().write(body);
          }
        });
  }

  private static Map<String, String> form(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    return Arrays.stream(body.split("&"))
        .filter(field -> field.contains("="))
        .map(field -> field.split("=", 2))
        .collect(
            Collectors.toMap(
                field -> field[0], field -> URLDecoder.decode(field[1], StandardCharsets.UTF_8)));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

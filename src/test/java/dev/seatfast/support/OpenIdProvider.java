package dev.seatfast.support;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwk.EcJwkGenerator;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.OctetKeyPairJsonWebKey;
import org.jose4j.jwk.OkpJwkGenerator;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.lang.JoseException;

/** An OpenID provider's keys on the loopback address, and the tokens that it signs with them. */
public final class OpenIdProvider implements AutoCloseable {

  public static final String ISSUER = "https://issuer.example";
  public static final String AUDIENCE = "seatfast";

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<PublicJsonWebKey> keys = new CopyOnWriteArrayList<>();
  private final AtomicInteger fetches = new AtomicInteger();
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private volatile String body;
  private HttpServer server;
  private int port;

  public OpenIdProvider() throws IOException {
    start();
  }

  /** Starts it, on the same port as before if it was stopped. */
  public void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    port = server.getAddress().getPort();
    server.setExecutor(threads);
    server.createContext(
        "/keys",
        exchange -> {
          fetches.incrementAndGet();
          try (exchange) {
            gate.await();
            byte[] content = (body == null ? keySet() : body).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, content.length);
            exchange.getResponseBody().write(content);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    server.start();
  }

  public void stop() {
    server.stop(0);
  }

  /** Lets fetches wait until the returned latch is counted down. */
  public CountDownLatch stall() {
    gate = new CountDownLatch(1);
    return gate;
  }

  /** Answers with this instead of the keys. */
  public void answer(String other) {
    body = other;
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + port + "/keys");
  }

  public int fetches() {
    return fetches.get();
  }

  public String keySet() {
    return new JsonWebKeySet(keys).toJson(OutputControlLevel.PUBLIC_ONLY);
  }

  /** A key that it publishes from now on. */
  public PublicJsonWebKey add(PublicJsonWebKey key) {
    keys.add(key);
    return key;
  }

  public void removeKeys() {
    keys.clear();
  }

  public static PublicJsonWebKey rsaKey(String id) {
    return named(id, () -> RsaJwkGenerator.generateJwk(2048));
  }

  public static PublicJsonWebKey ecKey(String id) {
    return named(id, () -> EcJwkGenerator.generateJwk(EllipticCurves.P256));
  }

  public static PublicJsonWebKey edKey(String id) {
    return named(id, () -> OkpJwkGenerator.generateJwk(OctetKeyPairJsonWebKey.SUBTYPE_ED25519));
  }

  @FunctionalInterface
  private interface Generator {
    PublicJsonWebKey generate() throws JoseException;
  }

  private static PublicJsonWebKey named(String id, Generator generator) {
    try {
      PublicJsonWebKey key = generator.generate();
      key.setKeyId(id);
      return key;
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The claims of a user's token that is good for ten minutes. */
  public static JwtClaims claims(String user, Map<String, Object> more) {
    JwtClaims claims = new JwtClaims();
    claims.setIssuer(ISSUER);
    claims.setAudience(AUDIENCE);
    claims.setSubject(user);
    claims.setExpirationTimeMinutesInTheFuture(10);
    more.forEach(claims::setClaim);
    return claims;
  }

  public static String sign(JwtClaims claims, String algorithm, PublicJsonWebKey key) {
    return sign(claims, algorithm, key.getPrivateKey(), key.getKeyId());
  }

  /** Signs with whatever key, under whatever name. */
  public static String sign(JwtClaims claims, String algorithm, Key key, String keyId) {
    JsonWebSignature signature = new JsonWebSignature();
    signature.setPayload(claims.toJson());
    signature.setAlgorithmHeaderValue(algorithm);
    signature.setKey(key);
    signature.setDoKeyValidation(false);
    signature.setAlgorithmConstraints(AlgorithmConstraints.NO_CONSTRAINTS);
    if (keyId != null) {
      signature.setKeyIdHeaderValue(keyId);
    }
    try {
      return signature.getCompactSerialization();
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    gate.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}

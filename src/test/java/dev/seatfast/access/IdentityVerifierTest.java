package dev.seatfast.access;

import static dev.seatfast.support.OpenIdProvider.claims;
import static dev.seatfast.support.OpenIdProvider.sign;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.database.UnavailableException;
import dev.seatfast.support.OpenIdProvider;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.keys.HmacKey;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Signed identities, right ones and attacks, with the keys of a provider on the loopback address.
 */
class IdentityVerifierTest {

  private static final PublicJsonWebKey RSA = OpenIdProvider.rsaKey("rsa");
  private static Vertx vertx;

  private final AtomicLong now = new AtomicLong();
  private final Ticker ticker =
      new Ticker() {
        @Override
        long nanos() {
          return now.get();
        }
      };
  private final AccessExecutor executor = new AccessExecutor();
  private OpenIdProvider provider;
  private IdentityVerifier verifier;

  @BeforeAll
  static void startVertx() {
    vertx = Vertx.vertx();
  }

  @AfterAll
  static void stopVertx() {
    vertx.close();
  }

  @BeforeEach
  void start() throws IOException {
    provider = new OpenIdProvider();
    provider.add(RSA);
    verifier = verifier(Map.of());
  }

  @AfterEach
  void stop() {
    provider.close();
    executor.stop();
  }

  private IdentityVerifier verifier(Map<String, String> more) {
    Map<String, String> properties = new HashMap<>();
    properties.put("seatfast.identities.issuer", OpenIdProvider.ISSUER);
    properties.put("seatfast.identities.audience", OpenIdProvider.AUDIENCE);
    properties.put("seatfast.identities.jwks-url", provider.url().toString());
    properties.putAll(more);
    properties.values().removeIf(String::isEmpty);
    AccessConfig config =
        new SmallRyeConfigBuilder()
            .withMapping(AccessConfig.class)
            .withSources(new PropertiesConfigSource(properties, "test", 100))
            .build()
            .getConfigMapping(AccessConfig.class);
    return new IdentityVerifier(config, vertx, executor, Clock.systemUTC(), ticker);
  }

  @Test
  void anIdentityHasItsUserItsTenantAndItsScopes() {
    verifier = verifier(Map.of("seatfast.identities.tenant-claim", "org.id"));
    Caller caller =
        verify(
                sign(
                    claims(
                        "anna",
                        Map.of("org", Map.of("id", "t1"), "scope", "openid hold read unknown")),
                    "RS256",
                    RSA))
            .orElseThrow();
    assertEquals("user:anna", caller.name());
    assertEquals(Optional.of("anna"), caller.userId());
    assertEquals(Optional.of("t1"), caller.tenant());
    assertEquals(Set.of(Scope.HOLD, Scope.READ), caller.scopes());
  }

  @Test
  void claimsMapAsTheConfigurationSays() {
    verifier =
        verifier(
            Map.of(
                "seatfast.identities.tenant", "fixed",
                "seatfast.identities.user-claim", "https://example.com/user",
                "seatfast.identities.scopes-claim", "permissions",
                "seatfast.identities.scope-prefix", "seatfast:",
                "seatfast.identities.scopes", "read"));
    Caller caller =
        verify(
                sign(
                    claims(
                        "subject",
                        Map.of(
                            "https://example.com/user",
                            "anna",
                            "permissions",
                            List.of("seatfast:hold", "operate", "seatfast:act-for"))),
                    "RS256",
                    RSA))
            .orElseThrow();
    assertEquals("user:subject", caller.name());
    assertEquals(Optional.of("anna"), caller.userId());
    assertEquals(Optional.of("fixed"), caller.tenant());
    assertEquals(Set.of(Scope.HOLD, Scope.READ, Scope.ACT_FOR), caller.scopes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"RS256", "PS256", "ES256", "EdDSA"})
  void everyAlgorithmOfTheListIsVerified(String algorithm) {
    PublicJsonWebKey key =
        switch (algorithm) {
          case "ES256" -> provider.add(OpenIdProvider.ecKey("ec"));
          case "EdDSA" -> provider.add(OpenIdProvider.edKey("ed"));
          default -> RSA;
        };
    String token = sign(claims("anna", Map.of()), algorithm, key);
    assertTrue(verify(token).isPresent());
    String signature = token.substring(token.lastIndexOf('.') + 1);
    String broken =
        token.substring(0, token.lastIndexOf('.') + 1)
            + (signature.startsWith("A") ? "B" : "A")
            + signature.substring(1);
    assertTrue(verify(broken).isEmpty());
  }

  @Test
  void otherAlgorithmsAreRefusedThoughTheKeyIsRight() {
    assertTrue(verify(sign(claims("anna", Map.of()), "RS512", RSA)).isEmpty());
    verifier = verifier(Map.of("seatfast.identities.algorithms", "ES256"));
    assertTrue(verify(sign(claims("anna", Map.of()), "RS256", RSA)).isEmpty());
  }

  @Test
  void aTokenWithoutASignatureIsRefused() {
    String payload = encoded(claims("anna", Map.of()).toJson());
    for (String algorithm : List.of("none", "None", "NONE", "")) {
      for (String signature : List.of("", "AA")) {
        String header = encoded("{\"alg\":\"%s\",\"kid\":\"rsa\"}".formatted(algorithm));
        assertTrue(verify(header + "." + payload + "." + signature).isEmpty());
      }
    }
  }

  @Test
  void aTokenThatIsSignedWithThePublicKeyAsASharedSecretIsRefused() {
    byte[] der = RSA.getPublicKey().getEncoded();
    String pem =
        "-----BEGIN PUBLIC KEY-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
            + "\n-----END PUBLIC KEY-----\n";
    for (byte[] secret : List.of(der, pem.getBytes(StandardCharsets.UTF_8))) {
      String token = sign(claims("anna", Map.of()), "HS256", new HmacKey(secret), "rsa");
      assertTrue(verify(token).isEmpty());
    }
  }

  @Test
  void aKeyThatTheTokenBringsAlongIsNotTrusted() {
    PublicJsonWebKey own = OpenIdProvider.rsaKey("own");
    String header =
        encoded(
            "{\"alg\":\"RS256\",\"kid\":\"rsa\",\"jku\":\"%s\",\"jwk\":%s}"
                .formatted(provider.url(), own.toJson(OutputControlLevel.PUBLIC_ONLY)));
    String signed = sign(claims("anna", Map.of()), "RS256", own);
    assertTrue(verify(header + signed.substring(signed.indexOf('.'))).isEmpty());
    assertTrue(verify(signed).isEmpty());
  }

  @Test
  void aTokenOfAnotherIssuerOrForAnotherServiceIsRefused() {
    assertTrue(
        verify(sign(claims("anna", Map.of("iss", "https://other")), "RS256", RSA)).isEmpty());
    assertTrue(verify(sign(claims("anna", Map.of("aud", "other")), "RS256", RSA)).isEmpty());
    for (String missing : List.of("iss", "aud", "sub", "exp")) {
      JwtClaims claims = claims("anna", Map.of());
      claims.unsetClaim(missing);
      assertTrue(verify(sign(claims, "RS256", RSA)).isEmpty(), missing);
    }
    assertTrue(
        verify(sign(claims("anna", Map.of("aud", List.of("x", "seatfast"))), "RS256", RSA))
            .isPresent());
  }

  @Test
  void aTokenIsGoodBetweenItsTimesAndAMinuteAround() {
    long seconds = Clock.systemUTC().millis() / 1000;
    assertTrue(verifyWith("exp", seconds - 120).isEmpty());
    assertTrue(verifyWith("exp", seconds - 30).isPresent());
    assertTrue(verifyWith("nbf", seconds + 120).isEmpty());
    assertTrue(verifyWith("nbf", seconds + 30).isPresent());
    assertTrue(verifyWith("exp", "tomorrow").isEmpty());
    assertTrue(verifyWith("exp", -1).isEmpty());
  }

  private Optional<Caller> verifyWith(String claim, Object value) {
    return verify(sign(claims("anna", Map.of(claim, value)), "RS256", RSA));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\u0000b", "\n"})
  void aUserThatCannotBeOneIsRefused(String user) {
    assertTrue(verify(sign(claims("anna", Map.of("sub", user)), "RS256", RSA)).isEmpty());
    assertTrue(verify(sign(claims("x".repeat(129), Map.of()), "RS256", RSA)).isEmpty());
  }

  @Test
  void aTenantThatIsNoTextIsRefusedAndNeverMeansNone() {
    verifier = verifier(Map.of("seatfast.identities.tenant-claim", "org"));
    for (Object tenant : List.of(1, List.of("t1"), Map.of(), "", "a\nb")) {
      assertTrue(verify(sign(claims("anna", Map.of("org", tenant)), "RS256", RSA)).isEmpty());
    }
  }

  @Test
  void claimsThatComeTwiceAreRefused() throws JoseException {
    String payload =
        claims("anna", Map.of()).toJson().replace("\"sub\"", "\"sub\":\"bob\",\"sub\"");
    JsonWebSignature signature = new JsonWebSignature();
    signature.setPayload(payload);
    signature.setAlgorithmHeaderValue("RS256");
    signature.setKeyIdHeaderValue("rsa");
    signature.setKey(RSA.getPrivateKey());
    assertTrue(verify(signature.getCompactSerialization()).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"../../etc/passwd", "' OR '1'='1", "rsa'; DROP TABLE api_token; --", "http://x/"})
  void aKeyIdIsOnlyANameAmongTheKeys(String keyId) {
    PublicJsonWebKey own = OpenIdProvider.rsaKey(keyId);
    assertTrue(verify(sign(claims("anna", Map.of()), "RS256", own)).isEmpty());
    assertTrue(
        verify(sign(claims("anna", Map.of()), "RS256", RSA.getPrivateKey(), keyId)).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "...", "a.b.c", "e30.e30.e30", "....", "%%.%%.%%"})
  void textsThatAreNoTokensAreRefused(String text) {
    assertTrue(verify(text).isEmpty());
  }

  @Test
  void aTokenOfSixtyFourKibibytesIsNotLookedAt() {
    String token = sign(claims("anna", Map.of("x", "y".repeat(48 * 1024))), "RS256", RSA);
    assertTrue(verify(token).isEmpty());
    assertEquals(0, provider.fetches());
  }

  @Test
  void aThousandUnknownKeysCostOneFetch() {
    List<CompletableFuture<Optional<Caller>>> all = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      all.add(
          verifier
              .verify(sign(claims("anna", Map.of()), "RS256", RSA.getPrivateKey(), "k" + i))
              .toCompletableFuture());
      if (i % 100 == 99) {
        all.forEach(one -> assertTrue(one.join().isEmpty()));
      }
    }
    assertEquals(1, provider.fetches());
    passes(IdentityKeys.RENEWAL_PAUSE_MIN);
    assertTrue(
        verify(sign(claims("anna", Map.of()), "RS256", RSA.getPrivateKey(), "more")).isEmpty());
    assertTrue(
        verify(sign(claims("anna", Map.of()), "RS256", RSA.getPrivateKey(), "again")).isEmpty());
    assertEquals(2, provider.fetches());
  }

  @Test
  void aNewKeyIsFoundWithoutARestartAndAWithdrawnOneIsForgotten() {
    String old = sign(claims("anna", Map.of()), "RS256", RSA);
    assertTrue(verify(old).isPresent());
    provider.removeKeys();
    PublicJsonWebKey next = provider.add(OpenIdProvider.ecKey("next"));
    String rotated = sign(claims("anna", Map.of()), "ES256", next);
    assertTrue(verify(rotated).isEmpty(), "fetched a moment ago");
    passes(IdentityKeys.RENEWAL_PAUSE_MIN);
    assertTrue(verify(rotated).isPresent());
    assertTrue(verify(sign(claims("bob", Map.of()), "RS256", RSA)).isEmpty());
    assertTrue(verify(old).isPresent(), "it was verified before");
    passes(IdentityKeys.FRESH_TIME_MAX);
    assertTrue(verify(old).isEmpty());
  }

  @Test
  void aProviderThatIsDownAtFirstIsAskedAgain() throws IOException {
    provider.stop();
    String token = sign(claims("anna", Map.of()), "RS256", RSA);
    assertUnavailable(token);
    provider.start();
    assertUnavailable(token); // asked a moment ago
    passes(IdentityKeys.RETRY_PAUSE_MIN);
    assertTrue(verify(token).isPresent());
  }

  @Test
  void keysAreKeptForADayWhileTheProviderIsDown() {
    assertTrue(verify(sign(claims("anna", Map.of()), "RS256", RSA)).isPresent());
    provider.stop();
    passes(IdentityKeys.KEPT_TIME_MAX.minusSeconds(1));
    assertTrue(verify(sign(claims("bob", Map.of()), "RS256", RSA)).isPresent());
    assertTrue(
        verify(sign(claims("bob", Map.of()), "RS256", RSA.getPrivateKey(), "unknown")).isEmpty());
    passes(Duration.ofMinutes(1));
    assertUnavailable(sign(claims("carl", Map.of()), "RS256", RSA));
  }

  @Test
  void aProviderThatDoesNotAnswerCostsTwoSecondsAtMost() {
    CountDownLatch answer = provider.stall();
    assertUnavailable(sign(claims("anna", Map.of()), "RS256", RSA));
    answer.countDown();
  }

  @Test
  void anAnswerThatIsNoSetOfKeysIsLikeNone() {
    for (String wrong : List.of("", "[]", "{}", "<html>", "{\"keys\":1}", "x".repeat(600_000))) {
      provider.answer(wrong);
      String token = sign(claims("anna", Map.of()), "RS256", RSA);
      try {
        assertTrue(verify(token).isEmpty(), wrong);
      } catch (CompletionException e) {
        assertInstanceOf(UnavailableException.class, e.getCause());
      }
      passes(IdentityKeys.RENEWAL_PAUSE_MIN);
    }
    provider.answer(null);
    assertTrue(verify(sign(claims("anna", Map.of()), "RS256", RSA)).isPresent());
  }

  @Test
  void keysCanComeFromAFile(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("keys.json");
    Files.writeString(file, provider.keySet());
    verifier =
        verifier(
            Map.of(
                "seatfast.identities.jwks-url",
                "",
                "seatfast.identities.jwks-file",
                file.toString()));
    assertTrue(verify(sign(claims("anna", Map.of()), "RS256", RSA)).isPresent());
    assertEquals(0, provider.fetches());
  }

  @Test
  void aVerifiedTokenIsRememberedUntilItEnds() {
    JwtClaims claims = claims("anna", Map.of());
    claims.setExpirationTimeMinutesInTheFuture(10);
    String token = sign(claims, "RS256", RSA);
    assertTrue(verify(token).isPresent());
    provider.removeKeys();
    provider.add(OpenIdProvider.ecKey("next"));
    passes(Duration.ofMinutes(9));
    verify(sign(claims("bob", Map.of()), "RS256", RSA.getPrivateKey(), "unknown")); // renews
    assertTrue(verify(token).isPresent());
    passes(Duration.ofMinutes(1));
    assertFalse(verify(token).isPresent());
  }

  private void assertUnavailable(String token) {
    CompletionException e = assertThrows(CompletionException.class, () -> verify(token));
    assertInstanceOf(UnavailableException.class, e.getCause());
  }

  private Optional<Caller> verify(String token) {
    return verifier.verify(token).toCompletableFuture().join();
  }

  private void passes(Duration time) {
    now.addAndGet(time.toNanos());
  }

  private static String encoded(String json) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }
}

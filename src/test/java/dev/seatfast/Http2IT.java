package dev.seatfast;

import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.seatfast.support.Certificates;
import dev.seatfast.support.Client;
import dev.seatfast.support.ContractCases;
import dev.seatfast.support.Http2Client;
import dev.seatfast.support.RawHttp;
import dev.seatfast.support.ServiceProcess;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.StreamResetException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The packaged service over HTTP/2, in clear text and with TLS. */
class Http2IT {

  private static final Duration TIME_TO_LIVE = Duration.ofSeconds(3);

  @TempDir static Path folder;

  private static Certificates certificates;
  private static ServiceProcess service;
  private static URI withTls;

  /** How a connection comes to speak HTTP/2. */
  enum Way {
    PRIOR_KNOWLEDGE,
    UPGRADE,
    TLS;

    Http2Client client() {
      return switch (this) {
        case PRIOR_KNOWLEDGE -> Http2Client.knowing(service.url());
        case UPGRADE -> Http2Client.upgrading(service.url());
        case TLS -> Http2Client.trusting(withTls, certificates.root());
      };
    }
  }

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(Certificates.canBeMade(), "no openssl is installed");
    certificates = Certificates.makeIn(folder);
    Map<String, String> settings =
        new HashMap<>(ServiceProcess.onEmbeddedDatabase(folder.resolve("database")));
    int port = freePort();
    withTls = URI.create("https://localhost:" + port);
    settings.put("QUARKUS_HTTP_SSL_PORT", Integer.toString(port));
    settings.put("QUARKUS_HTTP_SSL_CERTIFICATE_FILES", certificates.root().toString());
    settings.put("QUARKUS_HTTP_SSL_CERTIFICATE_KEY_FILES", certificates.key().toString());
    settings.put("SEATFAST_HOLD_TIME_TO_LIVE", TIME_TO_LIVE.toString());
    service = ServiceProcess.start(settings);
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      service.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void answersEveryRecordedRequestForWorkshops(Way way) throws Exception {
    try (Http2Client client = way.client()) {
      ContractCases.replay("workshops.json", client, Duration.ZERO);
    }
  }

  @ParameterizedTest
  @EnumSource
  void answersEveryRecordedRequestForSlots(Way way) throws Exception {
    try (Http2Client client = way.client()) {
      ContractCases.replay("slots.json", client, TIME_TO_LIVE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBodyThatIsTooLargeIsRefusedAndItsStreamEnds(Way way) throws Exception {
    try (Http2Client client = way.client()) {
      client.send("GET", "/health", Map.of(), null, false);
      HttpClientRequest endless = client.begin("POST", "/workshops/large/reservations");
      AtomicInteger code = new AtomicInteger(-1);
      endless.exceptionHandler(
          e -> {
            if (e instanceof StreamResetException reset) {
              code.set((int) reset.getCode());
            }
          });
      Future<RawHttp.Answer> refusal = Http2Client.answer(endless);
      endless.setChunked(true).write(Buffer.buffer(new byte[65 * 1024]));
      RawHttp.Answer answer = Http2Client.await(refusal);
      assertEquals(413, answer.status());
      assertEquals("{\"error\":\"body_too_large\"}", answer.body());
      Awaitility.await().untilAtomic(code, equalTo(0));
      assertEquals(200, client.send("GET", "/health", Map.of(), null, false).status());
    }
  }

  @Test
  void aBodyThatItsClientGivesUpIsNotDecided() throws Exception {
    String workshop = Client.freshWorkshop();
    try (Http2Client client = Way.PRIOR_KNOWLEDGE.client()) {
      HttpClientRequest request = client.begin("POST", "/workshops/" + workshop + "/reservations");
      request.setChunked(true).write("{\"requestId\":\"given-up\",\"seats\":1}");
      client.send("GET", "/health", Map.of(), null, false);
      request.reset();
      client.send("GET", "/health", Map.of(), null, false);
    }
    assertEquals(0, service.client().status(workshop).get("acceptedRequests").intValue());
    assertFalse(service.log().contains("\"ERROR\""), service::log);
  }

  @Test
  void theClientOfJavaSpeaksItInClearTextAndWithTls() throws Exception {
    for (URI server : new URI[] {service.url(), withTls}) {
      HttpClient client =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_2)
              .sslContext(trust(certificates.root()))
              .build();
      String workshop = Client.freshWorkshop();
      for (int time = 1; time <= 2; time++) {
        HttpResponse<String> answer =
            client.send(
                HttpRequest.newBuilder(server.resolve("/workshops/" + workshop + "/reservations"))
                    .POST(
                        HttpRequest.BodyPublishers.ofString("{\"requestId\":\"java\",\"seats\":1}"))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
        assertEquals(HttpClient.Version.HTTP_2, answer.version());
        assertEquals(201, answer.statusCode());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneConnectionHasABoundOnItsRequests(Way way) throws Exception {
    try (Http2Client client = way.client()) {
      assertEquals(100, client.requestsAtOnceMax());
    }
  }

  @Test
  void aFloodOfResetsEndsTheConnection() throws Exception {
    try (Http2Client client = Way.PRIOR_KNOWLEDGE.client()) {
      HttpConnection connection = client.begin("GET", "/health").connection();
      CountDownLatch ended = new CountDownLatch(1);
      connection.closeHandler(end -> ended.countDown());
      for (int i = 0; ended.getCount() > 0; i++) {
        assertTrue(i < 1_000, "the connection goes on");
        HttpClientRequest request = client.begin("GET", "/workshops/flood/status");
        request.end();
        request.reset();
      }
    }
    assertEquals(200, service.client().get("/health").status());
  }

  private static SSLContext trust(Path certificate) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null);
    try (InputStream in = Files.newInputStream(certificate)) {
      trusted.setCertificateEntry(
          "root", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}

package dev.seatfast.workshops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.seatfast.engine.InvariantChecker;
import dev.seatfast.support.Client;
import dev.seatfast.support.Client.Answer;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ReservationRaceTest {

  @TestHTTPResource URI server;
  @Inject InvariantChecker invariants;

  private final String workshop = Client.freshWorkshop();
  private Client client;

  @BeforeEach
  void connect() {
    client = new Client(server);
  }

  @AfterEach
  void theCountersAgreeWithTheAttempts() {
    assertEquals(List.of(), invariants.check("").disagreements());
  }

  @RepeatedTest(5)
  void ofSixtyFourClientsOnANeverSeenWorkshopExactlyFourWin() throws Exception {
    List<Answer> answers = reserveAtOnce(64, i -> "client-" + i, i -> 1);
    assertEquals(4, answers.stream().filter(Answer::accepted).count());
    assertEquals(60, answers.stream().filter(answer -> answer.status() == 409).count());
    JsonNode status = client.status(workshop);
    assertEquals(4, status.get("reserved").intValue());
    assertEquals(4, status.get("acceptedRequests").intValue());
    assertEquals(60, status.get("rejectedRequests").intValue());
  }

  @RepeatedTest(5)
  void mixedSeatCountsFillTheWorkshopAndNeverMore() throws Exception {
    List<Answer> answers = reserveAtOnce(64, i -> "client-" + i, i -> 1 + i % 4);
    int accepted =
        answers.stream()
            .filter(Answer::accepted)
            .mapToInt(answer -> answer.json().get("seats").intValue())
            .sum();
    assertEquals(4, accepted, "with one-seat requests around, no seat stays free");
    assertEquals(4, client.status(workshop).get("acceptedSeats").intValue());
  }

  @RepeatedTest(5)
  void theSameRequestIdSentFiftyTimesAtOnceIsDecidedOnce() throws Exception {
    List<Answer> answers = reserveAtOnce(50, i -> "the-same", i -> 2);
    assertEquals(50, answers.stream().filter(Answer::accepted).count());
    assertEquals(49, answers.stream().filter(Answer::replayed).count());
    JsonNode status = client.status(workshop);
    assertEquals(2, status.get("reserved").intValue());
    assertEquals(1, status.get("acceptedRequests").intValue());
  }

  @Test
  void aReplayGivesTheFirstDecisionAndSaysSo() throws Exception {
    Answer first = client.reserve(workshop, "first", 3);
    assertNull(first.header("Idempotency-Replayed"));
    assertEquals(409, client.reserve(workshop, "second", 2).status());

    Answer replay = client.reserve(workshop, "first", 3);
    assertEquals(201, replay.status());
    assertTrue(replay.replayed());
    assertEquals("true", replay.header("Idempotency-Replayed"));
    assertNull(replay.header("Idempotency-Mismatch"));

    Answer rejection = client.reserve(workshop, "second", 2);
    assertEquals(409, rejection.status());
    assertEquals("true", rejection.header("Idempotency-Replayed"));
    assertEquals(1, client.status(workshop).get("rejectedRequests").intValue());
  }

  @Test
  void aKnownRequestIdWithOtherSeatsReplaysTheFirstSeatsAndSaysSo() throws Exception {
    client.reserve(workshop, "first", 3);
    Answer replay = client.reserve(workshop, "first", 1);
    assertEquals(201, replay.status());
    assertEquals(3, replay.json().get("seats").intValue());
    assertEquals("seats", replay.header("Idempotency-Mismatch"));
    assertEquals(3, client.status(workshop).get("reserved").intValue());
  }

  private interface ForClient<T> {
    T of(int client);
  }

  private List<Answer> reserveAtOnce(int clients, ForClient<String> id, ForClient<Integer> seats)
      throws Exception {
    List<Callable<Answer>> calls = new ArrayList<>();
    IntStream.range(0, clients)
        .forEach(i -> calls.add(() -> client.reserve(workshop, id.of(i), seats.of(i))));
    return Client.atOnce(calls);
  }
}

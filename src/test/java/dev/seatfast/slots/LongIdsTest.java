package dev.seatfast.slots;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.seatfast.support.Client;
import dev.seatfast.support.Client.Answer;
import dev.seatfast.support.LongIds;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** Whatever may be held may also be read. */
@QuarkusTest
class LongIdsTest {

  private static final String START = "2026-12-01T10:00:00.000+09:00";

  @TestHTTPResource URI server;

  @Test
  void aReservationOfTheLongestIdsCanBeRead() throws Exception {
    LongIds ids = LongIds.fresh();
    Client client = new Client(server);
    Answer held =
        client.post(
            "/api/reservations/hold",
            """
            {"tenantId":"%s","resourceId":"%s","slotStartIso":"%s","userId":"%s",
             "idempotencyKey":"key"}
            """
                .formatted(ids.tenant(), ids.resource(), START, ids.user()));
    assertEquals(200, held.status(), held.response()::body);
    String id = held.json().get("reservationId").textValue();
    Answer read = client.get(ids.reservation(id, START));
    assertEquals(200, read.status(), read.response()::body);
    assertEquals("HELD", read.json().get("state").textValue());
  }
}

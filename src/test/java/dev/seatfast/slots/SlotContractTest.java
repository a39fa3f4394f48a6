package dev.seatfast.slots;

import dev.seatfast.support.ContractCases;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

@QuarkusTest
class SlotContractTest {

  @TestHTTPResource URI server;

  @ConfigProperty(name = "seatfast.hold.time-to-live")
  Duration timeToLive;

  @Test
  void answersEveryRecordedRequestAsRecorded() throws Exception {
    ContractCases.replay("slots.json", server, timeToLive);
  }
}

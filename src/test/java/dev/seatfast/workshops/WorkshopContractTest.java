package dev.seatfast.workshops;

import dev.seatfast.support.ContractCases;
import dev.seatfast.support.TestDatabase;
import io.quarkus.test.common.TestResourceScope;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(value = TestDatabase.class, scope = TestResourceScope.GLOBAL)
class WorkshopContractTest {

  @TestHTTPResource URI server;

  @Test
  void answersEveryRecordedRequestAsRecorded() throws Exception {
    ContractCases.replay("workshops.json", server);
  }
}

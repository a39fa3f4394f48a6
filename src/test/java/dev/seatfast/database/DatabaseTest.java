package dev.seatfast.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.support.TestDatabase;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
class DatabaseTest {

  private static final Duration LONG = Duration.ofHours(1);

  @Inject Database database;
  @Inject Maintenance maintenance;

  @Test
  void aTransactionOfSeveralStatementsLimitsItsSilenceAndNothingAfterIt() throws Exception {
    assertEquals("10s", database.inTransaction(DatabaseTest::idleLimit));
    assertEquals("1min", maintenance.runLong(DatabaseTest::idleLimit));
    assertEquals("0", maintenance.run(DatabaseTest::idleLimit));
  }

  @Test
  void aLongTransactionWritesInReadCommittedWhateverTheDefaultsAre() throws Exception {
    assertEquals(
        "read committed off",
        maintenance.runLong(
            session ->
                session.one(
                    "SELECT current_setting('transaction_isolation') || ' '"
                        + " || current_setting('transaction_read_only') AS value",
                    Parameters.Binder.NONE,
                    row -> row.getString("value"))));
  }

  /** Notices are news, and everything above may mean that a commit is not safe. */
  @ParameterizedTest
  @CsvSource({"NOTICE, false", "WARNING, true"})
  void aWarningOfTheServerIsAnUnknownOutcome(String level, boolean unknown) {
    String sql = "DO $$ BEGIN RAISE %s 'said'; END $$".formatted(level);
    if (unknown) {
      assertThrows(UnavailableException.class, () -> database.update(sql, Parameters.Binder.NONE));
      assertThrows(
          UnavailableException.class,
          () -> database.inTransaction(session -> session.update(sql, Parameters.Binder.NONE)));
    } else {
      assertEquals(0, database.update(sql, Parameters.Binder.NONE));
    }
  }

  @Test
  void aWriteIsASignOfLifeUntilTheServerRefusesOne() {
    database.wrote();
    assertTrue(database.wroteWithin(LONG));
    assertThrows(UnavailableException.class, () -> database.inTransaction(DatabaseTest::write));
    assertFalse(database.wroteWithin(LONG));
    database.wrote();
    database.first("SELECT 1", Parameters.Binder.NONE, row -> row.getInt(1));
    assertTrue(database.wroteWithin(LONG));
  }

  private static int write(Session session) throws SQLException {
    session.update("SET TRANSACTION READ ONLY", Parameters.Binder.NONE);
    return session.update("UPDATE {schema}.event_position SET last = last", Parameters.Binder.NONE);
  }

  private static String idleLimit(Session session) throws SQLException {
    return session.one(
        "SELECT current_setting('idle_in_transaction_session_timeout') AS value",
        Parameters.Binder.NONE,
        row -> row.getString("value"));
  }
}

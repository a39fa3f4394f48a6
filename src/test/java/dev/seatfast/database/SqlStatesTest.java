package dev.seatfast.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlStatesTest {

  /** The server ends the session with these, so each of them is an unknown outcome. */
  @ParameterizedTest
  @ValueSource(strings = {"08006", "57P01", "57P05", "25P03", "25P04", "25006"})
  void aSessionThatTheServerEndsIsALostConnection(String state) {
    assertTrue(SqlStates.connectionLost(with(state)));
    assertTrue(SqlStates.unavailable(with(state)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"22P05", "23514", "42601", "25P01"})
  void aFaultOfOursIsNone(String state) {
    assertFalse(SqlStates.connectionLost(with(state)));
    assertFalse(SqlStates.unavailable(with(state)));
  }

  @Test
  void whateverIsNotANoticeIsAWarning() {
    assertFalse(SqlStates.isWarning(with("00000")));
    assertTrue(SqlStates.isWarning(with("01000")));
    assertTrue(SqlStates.isWarning(with("57P01")), "PostgreSQL warns with the codes of errors too");
    assertTrue(SqlStates.isWarning(with(null)));
  }

  @Test
  void theFirstLineOfAMessageSaysWhatWentWrong() {
    assertEquals("one", SqlStates.firstLine(new SQLException("one\n  two")));
    assertEquals("null", SqlStates.firstLine(new SQLException()));
  }

  private static SQLException with(String state) {
    return new SQLException("", state);
  }
}

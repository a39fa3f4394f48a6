package dev.seatfast.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerSettingsTest {

  private static final int CONNECTIONS = 10;

  private static final Map<String, String> AS_IT_COMES =
      Map.of(
          "server_encoding",
          "UTF8",
          "synchronous_commit",
          "on",
          "synchronous_standby_names",
          "",
          "client_min_messages",
          "notice",
          "default_transaction_isolation",
          "read committed",
          "fsync",
          "on",
          "full_page_writes",
          "on",
          ServerSettings.FIRST_SCHEMA,
          "pg_catalog");

  @Test
  void aServerAsItComesIsFine() {
    ServerSettings settings = new ServerSettings(AS_IT_COMES);
    assertEquals(List.of(), settings.faults());
    assertEquals(List.of(), settings.warnings(CONNECTIONS));
    assertTrue(AS_IT_COMES.keySet().containsAll(ServerSettings.names()));
  }

  @Test
  void aServerThatDoesNotKnowASettingIsNotBlamedForIt() {
    ServerSettings settings = new ServerSettings(Map.of());
    assertEquals(List.of(), settings.faults());
    assertEquals(List.of(), settings.warnings(CONNECTIONS));
  }

  @ParameterizedTest
  @CsvSource({
    "server_encoding, SQL_ASCII",
    "synchronous_commit, off",
    "client_min_messages, error",
    "default_transaction_isolation, serializable",
    ServerSettings.FIRST_SCHEMA + ", public"
  })
  void whatBreaksAPromiseIsAFault(String setting, String value) {
    List<String> faults = with(setting, value).faults();
    assertEquals(1, faults.size());
    assertTrue(faults.get(0).contains(setting + " is '" + value + "'"), faults::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "synchronous_commit, remote_apply",
    "synchronous_commit, local",
    "client_min_messages, debug1",
    "client_min_messages, warning",
    "synchronous_standby_names, one",
    ServerSettings.CONNECTION_LIMIT + ", 10"
  })
  void whatKeepsThePromisesIsNoFaultAndNoWarning(String setting, String value) {
    assertEquals(List.of(), with(setting, value).faults());
    assertEquals(List.of(), with(setting, value).warnings(CONNECTIONS));
  }

  @ParameterizedTest
  @CsvSource({"fsync, off", "full_page_writes, off", ServerSettings.CONNECTION_LIMIT + ", 9"})
  void whatIsUnwiseIsAWarning(String setting, String value) {
    assertEquals(List.of(), with(setting, value).faults());
    assertEquals(1, with(setting, value).warnings(CONNECTIONS).size());
  }

  @Test
  void localCommitsBesideASynchronousStandbyAreUnwise() {
    Map<String, String> values = new HashMap<>(AS_IT_COMES);
    values.put("synchronous_commit", "local");
    values.put("synchronous_standby_names", "one");
    assertEquals(1, new ServerSettings(values).warnings(CONNECTIONS).size());
  }

  private static ServerSettings with(String setting, String value) {
    Map<String, String> values = new HashMap<>(AS_IT_COMES);
    values.put(setting, value);
    return new ServerSettings(values);
  }
}

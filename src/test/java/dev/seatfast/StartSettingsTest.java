package dev.seatfast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StartSettingsTest {

  private static final String URL = "quarkus.datasource.jdbc.url";
  private static final String A_DATABASE = "jdbc:postgresql://localhost/db";
  private static final String EMBEDDED = "seatfast.embedded-database";
  private static final String MIGRATE = "seatfast.migrate";
  private static final String CONNECTIONS = "quarkus.datasource.jdbc.max-size";

  private static final int OVERRIDES_ALL = 10_000;

  @Test
  void aServiceThatUsesADatabaseLeavesItAsItIs() {
    StartSettings settings = start(List.of(), URL, A_DATABASE);
    assertEquals("never", settings.properties().get(MIGRATE));
    assertFalse(settings.once());
    assertTrue(settings.embedded().isEmpty());
    assertNull(settings.properties().get("quarkus.http.host-enabled"));
  }

  @Test
  void theEmbeddedDatabaseIsMigratedAtTheStart() {
    StartSettings settings = start(List.of(), EMBEDDED, "true");
    assertEquals("at-start", settings.properties().get(MIGRATE));
    assertTrue(settings.embedded().isPresent());
    assertEquals(
        System.getProperty("user.home") + "/.seatfast/postgres",
        settings.embedded().orElseThrow().embeddedDatabaseDir().toString());
  }

  /** The switch may be left over from an earlier life; the database is somebody's. */
  @Test
  void theSwitchOfTheEmbeddedDatabaseMeansNothingBesideAUrl() {
    StartSettings settings = start(List.of(), EMBEDDED, "true", URL, A_DATABASE);
    assertEquals("never", settings.properties().get(MIGRATE));
    assertTrue(settings.embedded().isEmpty());
  }

  @ParameterizedTest
  @CsvSource({"at-start, at-start", "AT_START, at-start", "never, never", "only, only"})
  void theConfigurationSaysWhenToMigrate(String configured, String effective) {
    StartSettings settings = start(List.of(), EMBEDDED, "true", MIGRATE, configured);
    assertEquals(effective, settings.properties().get(MIGRATE));
    assertEquals(effective.equals("only"), settings.once());
  }

  @ParameterizedTest
  @CsvSource({"migrate, active", "delete, deleted"})
  void anArgumentDoesOneThingWhateverTheConfigurationSays(String argument, String state) {
    StartSettings settings =
        start(
            List.of(argument),
            URL,
            A_DATABASE,
            MIGRATE,
            "never",
            CONNECTIONS,
            "1",
            "seatfast.namespace-state",
            "active");
    assertTrue(settings.once());
    assertEquals("only", settings.properties().get(MIGRATE));
    assertEquals(state, settings.properties().get("seatfast.namespace-state"));
    assertEquals("false", settings.properties().get("quarkus.http.host-enabled"));
    assertEquals("2", settings.properties().get(CONNECTIONS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"remove", "migrate now", ""})
  void otherArgumentsAreRefused(String arguments) {
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class,
            () -> start(List.of(arguments.split(" ")), URL, A_DATABASE));
    assertTrue(
        refusal.getMessage().contains("the only arguments are 'migrate', 'delete'"),
        refusal.getMessage());
  }

  @Test
  void withoutOperatorsThereIsNoHibernate() {
    String active = "quarkus.hibernate-orm.active";
    assertEquals("false", start(List.of(), URL, A_DATABASE).properties().get(active));
    assertNull(
        start(List.of(), URL, A_DATABASE, "seatfast.internal-token", "t").properties().get(active));
    assertNull(start(List.of(), URL, A_DATABASE, active, "true").properties().get(active));
  }

  @ParameterizedTest
  @CsvSource({
    "seatfast.statement-time-max, 0.5S, seatfast.statement-time-max must be from PT1S to PT1H",
    "quarkus.datasource.jdbc.acquisition-timeout, 0, must be from PT0.001S to PT1H",
    "seatfast.database.password-file, /none, names no readable file: /none",
    "quarkus.datasource.jdbc.url, jdbc:mysql://host/db, is no URL of PostgreSQL's driver",
    "seatfast.hold.time-max, 1S, seatfast.hold.time-max must be from PT2M"
  })
  void aSettingThatCannotWorkIsNamedWithItsReason(String name, String value, String complaint) {
    RuntimeException refusal =
        assertThrows(
            RuntimeException.class,
            () ->
                start(
                    List.of(), URL, A_DATABASE, "quarkus.datasource.username", "me", name, value));
    assertTrue(refusal.getMessage().contains(complaint), refusal.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"seatfast.migrate, sometimes", "seatfast.namespace, pg_catalog"})
  void aValueThatIsNoneOfItsTypeIsRefusedToo(String name, String value) {
    ConfigValidationException refusal =
        assertThrows(
            ConfigValidationException.class, () -> start(List.of(), URL, A_DATABASE, name, value));
    assertTrue(refusal.getProblem(0).getMessage().contains(value), refusal.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"pa$$w0rd", "pa${x}w", "a\\$b", "$", "${", "\\", "${user.home}"})
  void secretsAreTakenAsTheyAreWritten(String secret) {
    SmallRyeConfig config =
        config(
            "quarkus.datasource.password",
            secret,
            "quarkus.datasource.username",
            secret,
            "seatfast.internal-token",
            secret,
            "%prod.quarkus.datasource.jdbc.additional-jdbc-properties.sslpassword",
            secret);
    for (String name :
        List.of(
            "quarkus.datasource.password",
            "quarkus.datasource.username",
            "seatfast.internal-token",
            "quarkus.datasource.jdbc.additional-jdbc-properties.sslpassword")) {
      assertEquals(secret, config.getValue(name, String.class), name);
    }
  }

  @Test
  void otherSettingsMayReferToOthers() {
    SmallRyeConfig config = config("host", "db.example", URL, "jdbc:postgresql://${host}/db");
    assertEquals("jdbc:postgresql://db.example/db", config.getValue(URL, String.class));
  }

  @Test
  void aSecondStartInTheSameProcessForgetsTheFirst() {
    String name = "dev.seatfast.test.of-one-start";
    new StartSettings(Map.of(name, "value"), false, Optional.empty()).apply();
    assertEquals("value", System.getProperty(name));
    StartSettings.forget();
    assertNull(System.getProperty(name));
  }

  private static StartSettings start(List<String> arguments, String... settings) {
    return StartSettings.of(arguments, config(settings));
  }

  private static SmallRyeConfig config(String... settings) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      values.put(settings[i], settings[i + 1]);
    }
    return EarlyConfig.read(new PropertiesConfigSource(values, "test", OVERRIDES_ALL));
  }
}

package dev.seatfast.database;

import io.smallrye.config.SmallRyeConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Checks how the database is configured, before anything connects to it. */
public final class DatabaseSettings {

  private static final String ACQUISITION_TIMEOUT = "quarkus.datasource.jdbc.acquisition-timeout";
  private static final String USERNAME = "quarkus.datasource.username";
  private static final String FILE = "seatfast.database.password-file";
  private static final String REGION = "seatfast.database.aws-iam-region";

  private DatabaseSettings() {}

  /**
   * Returns the settings of Quarkus that follow from the configuration.
   *
   * @throws IllegalArgumentException that names the first setting that cannot work, and why
   */
  public static Map<String, String> of(SmallRyeConfig config) {
    Duration statementTimeMax = config.getConfigMapping(DatabaseConfig.class).statementTimeMax();
    Ranges.check(
        DatabaseUrl.STATEMENT_TIME_MAX,
        statementTimeMax,
        Duration.ofSeconds(1),
        Duration.ofHours(1));
    Ranges.check( // with 0, Quarkus waits without a limit, and every request would be late at once
        ACQUISITION_TIMEOUT,
        config.getValue(ACQUISITION_TIMEOUT, Duration.class),
        Duration.ofMillis(1),
        Duration.ofHours(1));
    DatabaseUrl.check(config, statementTimeMax);
    return credentials(config);
  }

  /** Makes the connection pool ask {@link DatabaseCredentials} where passwords may change. */
  private static Map<String, String> credentials(SmallRyeConfig config) {
    DatabaseCredentialsConfig database = config.getConfigMapping(DatabaseCredentialsConfig.class);
    boolean file = database.passwordFile().isPresent();
    boolean token = database.awsIamRegion().isPresent();
    if (!file && !token) {
      return Map.of();
    }
    if (file && token) {
      throw new IllegalArgumentException("%s and %s exclude each other".formatted(FILE, REGION));
    }
    for (String needed : List.of(DatabaseUrl.URL, USERNAME)) {
      if (config.getOptionalValue(needed, String.class).isEmpty()) {
        throw new IllegalArgumentException(
            "%s needs %s beside it".formatted(file ? FILE : REGION, needed));
      }
    }
    database.passwordFile().ifPresent(DatabaseSettings::checkReadable);
    if (token) {
      checkToken(new DatabaseCredentials(config, database));
    }
    return Map.of("quarkus.datasource.credentials-provider", DatabaseCredentials.NAME);
  }

  private static void checkReadable(Path file) {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new IllegalArgumentException("%s names no readable file: %s".formatted(FILE, file));
    }
  }

  /** Signs one token to fail now if AWS credentials are missing: they will not come later. */
  private static void checkToken(DatabaseCredentials credentials) {
    try {
      credentials.token();
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException("%s: %s".formatted(REGION, e.getMessage()), e);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(REGION + " needs a URL with one host", e);
    }
  }
}

package dev.holdfast.platform;

import io.quarkus.arc.Unremovable;
import io.quarkus.credentials.CredentialsProvider;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.eclipse.microprofile.config.Config;

/**
 * Passwords that may change while the service runs: asked for at every new connection, and kept
 * nowhere.
 */
@Singleton
@Unremovable
@Named(DatabaseCredentials.NAME)
public class DatabaseCredentials implements CredentialsProvider {

  static final String NAME = "holdfast-database";

  private static final String FILE = "holdfast.database.password-file";
  private static final String REGION = "holdfast.database.aws-iam-region";
  private static final String USERNAME = "quarkus.datasource.username";

  private final Config config;
  private final DatabaseConfig database;

  DatabaseCredentials(Config config, DatabaseConfig database) {
    this.config = config;
    this.database = database;
  }

  /**
   * Makes the connection pool ask here if the configuration says so.
   *
   * @throws IllegalArgumentException if what it says can't be
   */
  public static void prepare(Config config) {
    boolean file = config.getOptionalValue(FILE, Path.class).isPresent();
    boolean token = config.getOptionalValue(REGION, String.class).isPresent();
    if (!file && !token) {
      return;
    }
    if (file && token) {
      throw new IllegalArgumentException("%s and %s exclude each other".formatted(FILE, REGION));
    }
    if (config.getOptionalValue(USERNAME, String.class).isEmpty()) {
      throw new IllegalArgumentException(USERNAME + " is missing");
    }
    if (file && !Files.isReadable(config.getValue(FILE, Path.class))) {
      throw new IllegalArgumentException(
          "%s names no file that can be read: %s"
              .formatted(FILE, config.getValue(FILE, String.class)));
    }
    System.setProperty("quarkus.datasource.credentials-provider", NAME);
  }

  @Override
  public Map<String, String> getCredentials(String provider) {
    String user = config.getValue(USERNAME, String.class);
    return Map.of(USER_PROPERTY_NAME, user, PASSWORD_PROPERTY_NAME, password(user));
  }

  private String password(String user) {
    return database
        .passwordFile()
        .map(DatabaseCredentials::read)
        .orElseGet(
            () ->
                RdsToken.of(
                    config.getValue("quarkus.datasource.jdbc.url", String.class),
                    user,
                    database.awsIamRegion().orElseThrow()));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("The password file can't be read", e);
    }
  }
}

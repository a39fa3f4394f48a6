package dev.seatfast.database;

import io.quarkus.arc.Unremovable;
import io.quarkus.credentials.CredentialsProvider;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;

/**
 * Passwords that may change while the service runs: asked for at every new connection, and kept
 * nowhere.
 */
@Singleton
@Unremovable
@Named(DatabaseCredentials.NAME)
public class DatabaseCredentials implements CredentialsProvider {

  private static final Logger LOG = Logger.getLogger(DatabaseCredentials.class);

  static final String NAME = "seatfast-database";

  private static final String FILE = "seatfast.database.password-file";
  private static final String REGION = "seatfast.database.aws-iam-region";
  private static final String URL = "quarkus.datasource.jdbc.url";
  private static final String USERNAME = "quarkus.datasource.username";

  private final Config config;
  private final DatabaseCredentialsConfig database;

  DatabaseCredentials(Config config, DatabaseCredentialsConfig database) {
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
    for (String needed : List.of(URL, USERNAME)) {
      if (config.getOptionalValue(needed, String.class).isEmpty()) {
        throw new IllegalArgumentException(
            "%s needs %s beside it".formatted(file ? FILE : REGION, needed));
      }
    }
    if (file && !isReadableFile(config.getValue(FILE, Path.class))) {
      throw new IllegalArgumentException(
          "%s names no file that can be read: %s"
              .formatted(FILE, config.getValue(FILE, String.class)));
    }
    if (token) {
      checkToken(config);
    }
    System.setProperty("quarkus.datasource.credentials-provider", NAME);
  }

  /** Made once for nothing, because whatever is missing for it will not come later. */
  private static void checkToken(Config config) {
    try {
      token(config);
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException("%s: %s".formatted(REGION, e.getMessage()), e);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(REGION + " needs a URL with one host", e);
    }
  }

  @Override
  public Map<String, String> getCredentials(String provider) {
    Map<String, String> credentials = new HashMap<>();
    credentials.put(USER_PROPERTY_NAME, config.getValue(USERNAME, String.class));
    if (database.passwordFile().isPresent()) {
      // Without a password the database refuses the connection, which is a fault that callers know.
      read(database.passwordFile().get())
          .ifPresent(password -> credentials.put(PASSWORD_PROPERTY_NAME, password));
    } else {
      credentials.put(PASSWORD_PROPERTY_NAME, token(config));
    }
    return credentials;
  }

  private static boolean isReadableFile(Path path) {
    return Files.isRegularFile(path) && Files.isReadable(path);
  }

  private static String token(Config config) {
    return RdsToken.of(
        config.getValue(URL, String.class),
        config.getValue(USERNAME, String.class),
        config.getValue(REGION, String.class));
  }

  private static Optional<String> read(Path file) {
    try {
      return Optional.of(Files.readString(file).strip());
    } catch (IOException e) {
      LOG.warnf("%s can't be read now: %s", FILE, e.getMessage());
      return Optional.empty();
    }
  }
}

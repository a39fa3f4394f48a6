package dev.seatfast.database;

import io.quarkus.arc.Unremovable;
import io.quarkus.credentials.CredentialsProvider;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;

/**
 * Provides passwords that may change while the service runs: each new connection asks for one, and
 * none is kept.
 */
@Singleton
@Unremovable
@Named(DatabaseCredentials.NAME)
public class DatabaseCredentials implements CredentialsProvider {

  private static final Logger LOG = Logger.getLogger(DatabaseCredentials.class);

  static final String NAME = "seatfast-database";

  private static final String USERNAME = "quarkus.datasource.username";

  private final Config config;
  private final DatabaseCredentialsConfig database;

  DatabaseCredentials(Config config, DatabaseCredentialsConfig database) {
    this.config = config;
    this.database = database;
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
      credentials.put(PASSWORD_PROPERTY_NAME, token());
    }
    return credentials;
  }

  /**
   * Signs a token for Amazon RDS.
   *
   * @throws IllegalStateException if the environment has no credentials of AWS
   * @throws NumberFormatException if the URL names several hosts
   */
  String token() {
    return RdsToken.of(
        config.getValue(DatabaseUrl.URL, String.class),
        config.getValue(USERNAME, String.class),
        database.awsIamRegion().orElseThrow());
  }

  private static Optional<String> read(Path file) {
    try {
      return Optional.of(Files.readString(file).strip());
    } catch (IOException e) {
      LOG.warnf("The password file cannot be read now: %s", e.getMessage());
      return Optional.empty();
    }
  }
}

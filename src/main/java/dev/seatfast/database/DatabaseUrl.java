package dev.seatfast.database;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.jdbc.SslMode;

/**
 * Validates the configured JDBC URL before anything connects. No complaint repeats the URL, because
 * it may have a password in it.
 */
final class DatabaseUrl {

  static final String URL = "quarkus.datasource.jdbc.url";
  private static final String DRIVER = "quarkus.datasource.jdbc.additional-jdbc-properties.";
  static final String STATEMENT_TIME_MAX = "seatfast.statement-time-max";

  /** Without a user before the host, which the driver would take for a part of the host's name. */
  private static final Pattern SHAPE =
      Pattern.compile("jdbc:postgresql:(//[^/@?\\s]*/)?[^/@?\\s]*(\\?\\S*)?");

  private DatabaseUrl() {}

  /**
   * @throws IllegalArgumentException if the driver cannot work with the URL and the properties that
   *     are set beside it
   */
  static void check(Config config, Duration statementTimeMax) {
    Properties properties = parse(config);
    String reason = "";
    try {
      SslMode.of(properties);
      for (PGProperty property :
          new PGProperty[] {
            PGProperty.SOCKET_TIMEOUT, PGProperty.CONNECT_TIMEOUT, PGProperty.PREPARE_THRESHOLD
          }) {
        property.getInteger(properties);
      }
    } catch (SQLException e) {
      reason = e.getMessage();
    }
    if (!reason.isEmpty()) {
      throw new IllegalArgumentException("The database's URL or driver properties: " + reason);
    }
    checkSocketFactory(properties);
    checkTimes(statementTimeMax, properties);
  }

  /** The driver would only complain at each connection, as if the database did not answer. */
  private static void checkSocketFactory(Properties properties) {
    String name = PGProperty.SOCKET_FACTORY.getOrDefault(properties);
    if (name != null) {
      try {
        Class.forName(name, false, Thread.currentThread().getContextClassLoader());
      } catch (ClassNotFoundException e) {
        throw new IllegalArgumentException(
            "The database's URL names a socketFactory that is no part of this program: " + name, e);
      }
    }
  }

  /** A statement that the network's limit ends first is not stopped on the server. */
  private static void checkTimes(Duration statement, Properties properties) {
    Duration network =
        Duration.ofSeconds(Long.parseLong(PGProperty.SOCKET_TIMEOUT.getOrDefault(properties)));
    if (!network.isZero() && statement.compareTo(network) >= 0) {
      throw new IllegalArgumentException(
          "%s must be shorter than the driver's socketTimeout (%s), but is %s"
              .formatted(STATEMENT_TIME_MAX, network, statement));
    }
  }

  private static Properties parse(Config config) {
    Properties beside = new Properties();
    for (PGProperty property :
        new PGProperty[] {
          PGProperty.SSL_MODE,
          PGProperty.SOCKET_TIMEOUT,
          PGProperty.CONNECT_TIMEOUT,
          PGProperty.SOCKET_FACTORY
        }) {
      config
          .getOptionalValue(DRIVER + property.getName(), String.class)
          .ifPresent(value -> property.set(beside, value));
    }
    String url = config.getOptionalValue(URL, String.class).orElse("jdbc:postgresql:");
    return Optional.of(url)
        .filter(text -> SHAPE.matcher(text).matches())
        .map(text -> Driver.parseURL(text, beside))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    URL
                        + " is no URL of PostgreSQL's driver: it must look like"
                        + " jdbc:postgresql://host:5432/database, and user and password have"
                        + " properties of their own"));
  }
}

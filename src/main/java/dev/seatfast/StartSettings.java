package dev.seatfast;

import dev.seatfast.access.AccessConfig;
import dev.seatfast.access.AccessSettings;
import dev.seatfast.database.DatabaseSettings;
import dev.seatfast.database.Ranges;
import dev.seatfast.embedded.EmbeddedDatabase;
import dev.seatfast.embedded.EmbeddedDatabaseConfig;
import dev.seatfast.engine.EngineSettings;
import dev.seatfast.http.ServerProperties;
import dev.seatfast.namespace.MigrationMode;
import dev.seatfast.namespace.NamespaceConfig;
import io.smallrye.config.SmallRyeConfig;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How this process starts, decided by its arguments and its configuration. Deciding reads nothing
 * else and changes nothing; {@link #apply} then tells Quarkus.
 *
 * @param properties what Quarkus must know beside the configuration
 * @param once whether the process migrates or deletes the namespace and exits
 * @param embedded how to run the embedded database, if this process is to run it
 */
record StartSettings(
    Map<String, String> properties, boolean once, Optional<EmbeddedDatabaseConfig> embedded) {

  private static final String URL = "quarkus.datasource.jdbc.url";
  private static final String USERNAME = "quarkus.datasource.username";
  private static final String PASSWORD = "quarkus.datasource.password";
  private static final String CONNECTIONS = "quarkus.datasource.jdbc.max-size";
  private static final String HIBERNATE = "quarkus.hibernate-orm.active";
  private static final String JSON_PROVIDER = "jakarta.json.provider";
  private static final String NAMESPACE_STATE = "seatfast.namespace-state";
  private static final String MIGRATE = "seatfast.migrate";

  /** One connection keeps other processes out, one migrates. */
  private static final int CONNECTIONS_TO_MIGRATE = 2;

  /** The property that names those that were applied, for a later start in the same JVM. */
  private static final String APPLIED = "dev.seatfast.applied";

  /** A process that works on the database alone, and prints nothing but its result. */
  private static final Map<String, String> TOKENS_COMMAND =
      Map.of(
          "quarkus.http.host-enabled", "false",
          "quarkus.log.console.stderr", "true",
          "quarkus.log.level", "WARN",
          "seatfast.sweep.every", "off");

  private static final int PORT_MAX = 65_535;

  /**
   * @throws IllegalArgumentException that says in one line what cannot work, and why
   */
  static StartSettings of(List<String> arguments, SmallRyeConfig config) {
    Map<String, String> properties = new TreeMap<>(namespaceSettings(arguments));
    AccessSettings.check(config.getConfigMapping(AccessConfig.class));
    EngineSettings.check(config);
    properties.putAll(DatabaseSettings.of(config));
    Optional<EmbeddedDatabaseConfig> embedded = embedded(config);
    MigrationMode mode = mode(arguments, config, embedded.isPresent());
    properties.put(MIGRATE, mode.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    properties.putAll(connectionSettings(mode, config.getValue(CONNECTIONS, Integer.class)));
    boolean once = mode == MigrationMode.ONLY;
    if (once) {
      properties.put("quarkus.http.host-enabled", "false");
    }
    properties.putAll(whatIsNotNeeded(config));
    properties.putAll(ServerProperties.ALL);
    return new StartSettings(properties, once, embedded);
  }

  private static MigrationMode mode(
      List<String> arguments, SmallRyeConfig config, boolean embedded) {
    if (TokenArguments.are(arguments)) {
      return MigrationMode.NEVER;
    }
    return arguments.isEmpty()
        ? config
            .getConfigMapping(NamespaceConfig.class)
            .migrate()
            .orElse(embedded ? MigrationMode.AT_START : MigrationMode.NEVER)
        : MigrationMode.ONLY;
  }

  /** Translates the command-line arguments into properties. */
  private static Map<String, String> namespaceSettings(List<String> arguments) {
    if (arguments.isEmpty()) {
      return Map.of();
    }
    if (TokenArguments.are(arguments)) {
      TokenArguments.parse(arguments, Instant.now()); // fails before anything starts
      return TOKENS_COMMAND;
    }
    return switch (arguments.size() == 1 ? arguments.get(0) : "") {
      case "migrate" -> Map.of(NAMESPACE_STATE, "active");
      case "delete" -> Map.of(NAMESPACE_STATE, "deleted");
      default ->
          throw new IllegalArgumentException(
              "the only arguments are 'migrate', 'delete', 'tokens', 'login', 'whoami' and"
                  + " 'logout', but these are '%s'".formatted(String.join(" ", arguments)));
    };
  }

  private static Optional<EmbeddedDatabaseConfig> embedded(SmallRyeConfig config) {
    if (config.getOptionalValue(URL, String.class).isPresent()) {
      return Optional.empty();
    }
    EmbeddedDatabaseConfig embedded = config.getConfigMapping(EmbeddedDatabaseConfig.class);
    if (!embedded.embeddedDatabase()) {
      throw new IllegalArgumentException(
          "No database. Set quarkus.datasource.jdbc.url (environment: QUARKUS_DATASOURCE_JDBC_URL)"
              + " to a PostgreSQL, or opt in to the embedded one with"
              + " seatfast.embedded-database=true (environment: SEATFAST_EMBEDDED_DATABASE).");
    }
    Ranges.check("seatfast.embedded-database-port", embedded.embeddedDatabasePort(), 0, PORT_MAX);
    return Optional.of(embedded);
  }

  private static Map<String, String> connectionSettings(MigrationMode mode, int connections) {
    if (mode == MigrationMode.NEVER || connections >= CONNECTIONS_TO_MIGRATE) {
      return Map.of();
    }
    if (mode == MigrationMode.AT_START) {
      throw new IllegalArgumentException(
          "%s must be at least %d to migrate at the start"
              .formatted(CONNECTIONS, CONNECTIONS_TO_MIGRATE));
    }
    return Map.of(CONNECTIONS, Integer.toString(CONNECTIONS_TO_MIGRATE));
  }

  /**
   * Spares the start some work. Only the operators' routes use Hibernate, which costs time and
   * memory, so without an operators' token it stays off. JSON-P searches the class path on every
   * use unless its provider is named.
   */
  private static Map<String, String> whatIsNotNeeded(SmallRyeConfig config) {
    Map<String, String> properties = new TreeMap<>();
    if (config.getOptionalValue("seatfast.internal-token", String.class).isEmpty()
        && config.getOptionalValue(HIBERNATE, Boolean.class).isEmpty()) {
      properties.put(HIBERNATE, "false");
    }
    if (config.getOptionalValue(JSON_PROVIDER, String.class).isEmpty()) {
      properties.put(JSON_PROVIDER, "org.eclipse.parsson.JsonProviderImpl");
    }
    return properties;
  }

  /** Returns these settings with the address of the embedded database, which runs by now. */
  StartSettings with(EmbeddedDatabase database) {
    Map<String, String> all = new TreeMap<>(properties);
    all.put(URL, database.jdbcUrl());
    all.put(USERNAME, database.user());
    all.put(PASSWORD, database.password());
    return new StartSettings(all, once, embedded);
  }

  /** Makes Quarkus read these settings. */
  void apply() {
    properties.forEach(System::setProperty);
    System.setProperty(APPLIED, String.join(" ", properties.keySet()));
  }

  /** Takes back what an earlier start in the same JVM applied: dev mode starts again and again. */
  static void forget() {
    for (String name : System.getProperty(APPLIED, "").split(" ")) {
      if (!name.isEmpty()) {
        System.clearProperty(name);
      }
    }
  }
}

package dev.seatfast.database;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The settings of the server, the database and the role that can break a promise of this program.
 *
 * @param values by name; a setting that the server does not know is missing
 */
record ServerSettings(Map<String, String> values) {

  /** Not a setting but its effect: the schema that is searched first. */
  static final String FIRST_SCHEMA = "first schema in search_path";

  /** Not a setting either: how many sessions the role or the database may have, if limited. */
  static final String CONNECTION_LIMIT = "connection limit";

  private static final String SYNCHRONOUS_COMMIT = "synchronous_commit";
  private static final String SYNCHRONOUS_STANDBY_NAMES = "synchronous_standby_names";

  /**
   * @param good the values that keep the promise
   * @param otherwise what any other value does, and what to do about it
   */
  private record Rule(String setting, Set<String> good, String otherwise) {}

  private static final List<Rule> NEEDED =
      List.of(
          new Rule(
              "server_encoding",
              Set.of("UTF8"),
              "ids may have any character. Use a database with ENCODING 'UTF8'"),
          new Rule(
              SYNCHRONOUS_COMMIT,
              Set.of("on", "remote_apply", "remote_write", "local"),
              "a crash of the server would lose decisions that clients were told. Set it to 'on'"),
          new Rule(
              "client_min_messages",
              Set.of("debug5", "debug4", "debug3", "debug2", "debug1", "log", "notice", "warning"),
              "it hides the warning that a commit may be lost. Set it to 'notice'"),
          new Rule(
              "default_transaction_isolation",
              Set.of("read committed"),
              "decisions that meet would fail. Set it to 'read committed'"),
          new Rule(
              FIRST_SCHEMA,
              Set.of("pg_catalog"),
              "its functions would replace PostgreSQL's. Take pg_catalog out of search_path"));

  private static final String MACHINE_CRASH = "a crash of its machine may lose all data";

  private static final List<Rule> WISE =
      List.of(
          new Rule("fsync", Set.of("on"), MACHINE_CRASH),
          new Rule("full_page_writes", Set.of("on"), MACHINE_CRASH));

  /** The names of the settings to ask the server for. */
  static List<String> names() {
    List<String> names = new ArrayList<>(List.of(SYNCHRONOUS_STANDBY_NAMES));
    for (List<Rule> rules : List.of(NEEDED, WISE)) {
      rules.stream()
          .map(Rule::setting)
          .filter(name -> !name.equals(FIRST_SCHEMA))
          .forEach(names::add);
    }
    return names;
  }

  /** Returns what is wrong with each setting that would break a promise. */
  List<String> faults() {
    return complaints(NEEDED);
  }

  /**
   * Returns what is wrong with each setting that is unwise.
   *
   * @param connectionsMax how many connections this process may open
   */
  List<String> warnings(int connectionsMax) {
    List<String> warnings = new ArrayList<>(complaints(WISE));
    if ("local".equals(values.get(SYNCHRONOUS_COMMIT))
        && !values.getOrDefault(SYNCHRONOUS_STANDBY_NAMES, "").isEmpty()) {
      warnings.add(
          "The server has synchronous standbys, but synchronous_commit is 'local': a failover may"
              + " lose decisions that clients were told");
    }
    String limit = values.get(CONNECTION_LIMIT);
    if (limit != null && Integer.parseInt(limit) < connectionsMax) {
      warnings.add(
          "This role may have only %s sessions on the server, but this process alone opens up to %d"
                  .formatted(limit, connectionsMax)
              + " (quarkus.datasource.jdbc.max-size): requests that find none get 503");
    }
    return warnings;
  }

  private List<String> complaints(List<Rule> rules) {
    return rules.stream()
        .filter(rule -> !rule.good().contains(values.getOrDefault(rule.setting(), good(rule))))
        .map(
            rule ->
                "The server's %s is '%s' for this role: %s"
                    .formatted(rule.setting(), values.get(rule.setting()), rule.otherwise()))
        .toList();
  }

  private static String good(Rule rule) {
    return rule.good().iterator().next();
  }
}

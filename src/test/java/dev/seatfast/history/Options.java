package dev.seatfast.history;

import dev.seatfast.history.faults.Fault;
import dev.seatfast.history.model.Rule;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * How to run.
 *
 * @param seconds no further round begins after that; one is run in any case
 * @param calmSeconds how long the clients go on without faults at the end of each round
 * @param clients how many ask at the same time
 * @param seed of everything that is left to chance here; how the processes meet is not
 * @param rules what the checker takes for granted
 * @param settings more of the service, as environment variables
 * @param folder where the database and the histories of failures go
 */
public record Options(
    int seconds,
    int calmSeconds,
    int clients,
    long seed,
    Set<Fault> faults,
    Set<Rule> rules,
    Map<String, String> settings,
    Path folder) {

  private static final int CLIENTS_MAX = 256;

  private static final int SHORT_CALM_SECONDS = 3;
  private static final int FEW_CLIENTS = 12;

  /** One short round with every kind of fault. */
  static Options ofOneRound(long seed, Path folder) {
    return new Options(
        0,
        SHORT_CALM_SECONDS,
        FEW_CLIENTS,
        seed,
        EnumSet.allOf(Fault.class),
        Rule.kept(),
        Map.of(),
        folder);
  }

  /**
   * Reads arguments of the form {@code --name=value}.
   *
   * @throws IllegalArgumentException that says what is wrong
   */
  static Options parse(String... arguments) {
    int seconds = 0;
    int calmSeconds = 0;
    int clients = FEW_CLIENTS;
    long seed = new Random().nextInt(Integer.MAX_VALUE);
    Set<Fault> faults = EnumSet.allOf(Fault.class);
    Set<Rule> rules = Rule.kept();
    Map<String, String> settings = new TreeMap<>();
    Path folder = Path.of("target", "faults");
    for (String argument : arguments) {
      String[] parts = argument.split("=", 2);
      String value = parts.length == 2 ? parts[1] : "";
      switch (parts[0]) {
        case "--seconds" -> seconds = number(parts[0], value, Integer.MAX_VALUE);
        case "--calm-seconds" -> calmSeconds = number(parts[0], value, Integer.MAX_VALUE);
        case "--clients" -> clients = number(parts[0], value, CLIENTS_MAX);
        case "--seed" -> seed = number(parts[0], value, Integer.MAX_VALUE);
        case "--faults" -> faults = choose(Fault.class, value);
        case "--rules" -> rules = choose(Rule.class, value);
        case "--setting" -> {
          String[] setting = value.split("=", 2);
          settings.put(setting[0], setting.length == 2 ? setting[1] : "");
        }
        case "--folder" -> folder = Path.of(value);
        default -> throw new IllegalArgumentException("There is no option " + parts[0]);
      }
    }
    return new Options(seconds, calmSeconds, clients, seed, faults, rules, settings, folder);
  }

  private static int number(String name, String value, int max) {
    try {
      int number = Integer.parseInt(value);
      if (number >= 0 && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // says the same
    }
    throw new IllegalArgumentException(
        "%s takes a number from 0 to %d, not %s".formatted(name, max, value));
  }

  private static <E extends Enum<E>> Set<E> choose(Class<E> type, String names) {
    Set<E> chosen = EnumSet.noneOf(type);
    for (String name : names.split(",")) {
      if (!name.isEmpty() && !name.equals("none")) {
        chosen.add(Enum.valueOf(type, name.toUpperCase(Locale.ROOT).replace('-', '_')));
      }
    }
    return chosen;
  }
}

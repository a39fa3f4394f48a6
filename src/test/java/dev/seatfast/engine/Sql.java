package dev.seatfast.engine;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Some SQL and where it stands.
 *
 * @param file its name, without the folder
 * @param schema what must stand before each table and function of ours
 * @param administration whether it makes or deletes a namespace; then it decides nothing, runs
 *     rarely and may take locks that decisions may not
 * @param code without comments and with all strings empty, so that a word in it is no accident
 */
record Sql(String file, String schema, boolean administration, String code) {

  /** A comment, a string, or the quotes around a function's body, which stays. */
  private static final Pattern NOISE =
      Pattern.compile("--[^\\n]*|/\\*.*?\\*/|'(?:[^']++|'')*+'", Pattern.DOTALL);

  static Sql migration(String file, String text) {
    return new Sql(file, "${flyway:defaultSchema}.", false, code(text));
  }

  static Sql decision(String file, String text) {
    return new Sql(file, "{schema}.", false, code(text));
  }

  static Sql administration(String file, String text) {
    return new Sql(file, "{schema}.", true, code(text));
  }

  private static String code(String text) {
    Matcher noise = NOISE.matcher(text);
    return noise.replaceAll(match -> match.group().startsWith("'") ? "''" : " ");
  }
}

package dev.seatfast.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds all SQL that this project runs: its migrations, and the statements in its Java sources. */
final class SqlSources {

  /** Where Maven runs the tests. */
  static final Path PROJECT = Path.of(System.getProperty("basedir", "."));

  private static final String ADMINISTRATION = "dev/seatfast/namespace/";

  /**
   * What to copy: text blocks and strings, with strings that are joined by a plus sign as one. The
   * other alternatives only keep comments and characters from being taken for the start of one.
   */
  private static final Pattern JAVA_TOKEN =
      Pattern.compile(
          "//[^\\n]*|/\\*.*?\\*/|'(?:\\\\.|[^'\\\\])+'"
              + "|(?<literal>STRING(?:\\s*\\+\\s*STRING)*)"
                  .replace(
                      "STRING",
                      "(?:\"\"\"(?:[^\"\\\\]++|\\\\.|\"(?!\"\"))*+\"\"\"|\"(?!\"\")(?:[^\"\\\\\\n]++|\\\\.)*+\")"),
          Pattern.DOTALL);

  /** How SQL begins, and how an English sentence in an error message does not. */
  private static final Pattern SQL =
      Pattern.compile(
          "(?is)\\s*(?:select\\s.+|with\\s+\\w+\\s+as\\b.+|insert\\s+into\\s.+|delete\\s+from\\s.+"
              + "|update\\s.+\\sset\\s.+|merge\\s+into\\s.+|truncate\\s.+"
              + "|(?:create|alter|drop)\\s+(?:or\\s+replace\\s+)?(?:unique\\s+|temp\\w*\\s+)?"
              + "(?:table|index|schema|function|sequence|trigger|view|role)\\b.+"
              + "|set\\s+(?:session\\s+|local\\s+)?[\\w.]+\\s*(?:=|\\sto\\s).+|reset\\s+\\w+"
              + "|(?:un)?listen\\s+\\w+|notify\\s+\\w+.*|prepare\\s+\\w+.*\\sas\\s.+"
              + "|declare\\s+\\w+\\s.*cursor.*|lock\\s+table\\s.+|do\\s+\\$.+|call\\s+.+\\(.*"
              + "|(?:commit|rollback|begin)\\b.*;?)");

  private SqlSources() {}

  /** The migrations on the class path, each as one text. */
  static List<Sql> migrations() {
    URL folder = SqlSources.class.getClassLoader().getResource("db/migration");
    if (folder == null) {
      throw new AssertionError("There are no migrations on the class path");
    }
    try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
      return files
          .filter(file -> file.toString().endsWith(".sql"))
          .sorted()
          .map(file -> Sql.migration(file.getFileName().toString(), read(file)))
          .toList();
    } catch (IOException | URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** The statements in the Java sources, which Surefire runs beside. */
  static List<Sql> javaStatements() {
    Path root = PROJECT.resolve("src/main/java");
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .sorted()
          .flatMap(
              file ->
                  statementsOf(root.relativize(file).toString().replace('\\', '/'), read(file))
                      .stream())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * @param path of the file below the source folder
   */
  static List<Sql> statementsOf(String path, String java) {
    List<Sql> statements = new ArrayList<>();
    Matcher token = JAVA_TOKEN.matcher(java);
    while (token.find()) {
      String literal = token.group("literal");
      if (literal != null) {
        String text = content(literal);
        if (SQL.matcher(text).matches()) {
          String file = path.substring(path.lastIndexOf('/') + 1);
          statements.add(
              path.startsWith(ADMINISTRATION)
                  ? Sql.administration(file, text)
                  : Sql.decision(file, text));
        }
      }
    }
    return statements;
  }

  private static String content(String literal) {
    return literal
        .replaceAll("\"\\s*\\+\\s*\"", "")
        .replaceAll("^\"+|\"+$", "")
        .replace("\\n", "\n")
        .replace("\\\"", "\"");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

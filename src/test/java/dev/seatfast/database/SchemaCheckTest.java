package dev.seatfast.database;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SchemaCheckTest {

  @Test
  void theVersionThatIsAskedForIsThatOfTheLastMigration() throws Exception {
    try (Stream<Path> files = Files.list(Path.of("src/main/resources/db/migration"))) {
      int last =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.matches("V\\d+__.*"))
              .mapToInt(name -> Integer.parseInt(name.substring(1, name.indexOf('_'))))
              .max()
              .orElseThrow();
      assertEquals(last, SchemaCheck.VERSION);
    }
  }
}

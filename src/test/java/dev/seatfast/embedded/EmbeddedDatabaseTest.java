package dev.seatfast.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedDatabaseTest {

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"fsync", "synchronous_commit", "full_page_writes"})
  void itIsDurable(String setting) throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(folder, 0)) {
      assertEquals("on", ask(database, "SELECT current_setting('" + setting + "')"));
    }
  }

  @Test
  void itKeepsItsDataAndItsPasswordIsForItsOwnerAlone() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(folder, 0)) {
      run(database, "CREATE TABLE kept AS SELECT 42 AS answer");
      assertEquals(
          "rw-------",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("password"))));
      assertThrows(
          SQLException.class,
          () -> DriverManager.getConnection(database.jdbcUrl(), database.user(), "wrong"));
    }
    try (EmbeddedDatabase database = EmbeddedDatabase.start(folder, 0)) {
      assertEquals("42", ask(database, "SELECT answer FROM kept"));
    }
  }

  @Test
  void aSecondUserOfTheFolderSharesTheServerAndLeavesItRunning() throws Exception {
    try (EmbeddedDatabase owner = EmbeddedDatabase.start(folder, 0)) {
      try (EmbeddedDatabase guest = EmbeddedDatabase.start(folder, 0)) {
        assertEquals(owner.jdbcUrl(), guest.jdbcUrl());
        assertEquals("1", ask(guest, "SELECT 1"));
      }
      assertEquals("1", ask(owner, "SELECT 1"));
    }
  }

  @Test
  void aSecondUserOfTheFolderTakesTheServerOverWhenTheFirstOneEnds() throws Exception {
    EmbeddedDatabase owner = EmbeddedDatabase.start(folder, 0);
    try (EmbeddedDatabase guest = EmbeddedDatabase.start(folder, 0)) {
      run(guest, "CREATE TABLE kept AS SELECT 42 AS answer");
      owner.close();
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptionsInstanceOf(SQLException.class)
          .until(() -> ask(guest, "SELECT answer FROM kept").equals("42"));
    }
  }

  @Test
  void aFolderWithoutItsPasswordSaysSo() throws Exception {
    EmbeddedDatabase.start(folder, 0).close();
    Files.delete(folder.resolve("password"));
    EmbeddedDatabaseException refusal =
        assertThrows(EmbeddedDatabaseException.class, () -> EmbeddedDatabase.start(folder, 0));
    assertTrue(refusal.getMessage().contains("password"), refusal.getMessage());
    assertTrue(Files.notExists(folder.resolve("data").resolve("postmaster.pid")));
  }

  @Test
  void aMarkThatNamesAnotherProcessIsRemovedAndThatProcessLeftAlone() throws Exception {
    EmbeddedDatabase.start(folder, 0).close();
    Process innocent = new ProcessBuilder("sleep", "60").start();
    try {
      Path mark = folder.resolve("data").resolve("postmaster.pid");
      List<String> lines =
          List.of(
              Long.toString(innocent.pid()), folder + "/data", "0", "5432", "", "*", "", "ready");
      Files.write(mark, lines);
      try (EmbeddedDatabase database = EmbeddedDatabase.start(folder, 0)) {
        assertEquals("1", ask(database, "SELECT 1"));
      }
      assertTrue(innocent.isAlive());
    } finally {
      innocent.destroyForcibly();
    }
  }

  @Test
  void aFolderThatWasLeftHalfMadeIsMadeAgain() throws Exception {
    Files.createDirectories(folder.resolve("unfinished-data"));
    Files.writeString(folder.resolve("unfinished-data").resolve("PG_VERSION"), "1");
    Files.writeString(folder.resolve("password"), "");
    try (EmbeddedDatabase database = EmbeddedDatabase.start(folder, 0)) {
      assertEquals("1", ask(database, "SELECT 1"));
    }
  }

  @Test
  void whereRootHasNoUserNamespaceItRunsAsNobody() throws Exception {
    assumeTrue(
        UnprivilegedCommands.forThisUser() != UnprivilegedCommands.AS_OURSELVES,
        "only root needs this");
    Path closed = Files.createDirectory(folder.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    Path data;
    try (EmbeddedDatabase database =
        EmbeddedDatabase.start(closed.resolve("db"), 0, UnprivilegedCommands.AS_NOBODY)) {
      data = Path.of(ask(database, "SHOW data_directory"));
      assertEquals(65534, Files.getAttribute(data, "unix:uid"));
    }
    PostgresBinaries.deleteRecursively(data.getParent());
  }

  private static void run(EmbeddedDatabase database, String sql) throws SQLException {
    try (Connection connection = connect(database)) {
      connection.createStatement().execute(sql);
    }
  }

  private static String ask(EmbeddedDatabase database, String sql) throws SQLException {
    try (Connection connection = connect(database);
        ResultSet row = connection.createStatement().executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  private static Connection connect(EmbeddedDatabase database) throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
  }
}

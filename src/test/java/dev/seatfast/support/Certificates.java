package dev.seatfast.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * A certificate for {@code localhost}, and another one that has nothing to do with it.
 *
 * @param root what to trust to trust the server
 * @param key the server's secret
 * @param otherRoot what not to be trusted by
 */
public record Certificates(Path root, Path key, Path otherRoot) {

  /** Whether OpenSSL's command is there. */
  public static boolean canBeMade() throws IOException {
    try {
      return run("openssl", "version");
    } catch (IOException e) {
      return false;
    }
  }

  public static Certificates makeIn(Path folder) throws IOException {
    Certificates made =
        new Certificates(
            folder.resolve("root.crt"), folder.resolve("server.key"), folder.resolve("other.crt"));
    make(made.root(), made.key());
    make(made.otherRoot(), folder.resolve("other.key"));
    return made;
  }

  private static void make(Path certificate, Path key) throws IOException {
    boolean done =
        run(
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
            "-out",
            certificate.toString(),
            "-keyout",
            key.toString());
    if (!done) {
      throw new IOException("openssl made no certificate");
    }
  }

  private static boolean run(String... command) throws IOException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Makes a database use them. It writes the files itself, because it must own its key. */
  public void use(DatabaseOwner owner) throws IOException, SQLException {
    String data = owner.ask("SHOW data_directory");
    copy(owner, root, data + "/server.crt");
    copy(owner, key, data + "/server.key");
    Files.setPosixFilePermissions(
        Path.of(data, "server.key"), PosixFilePermissions.fromString("rw-------"));
    owner.execute("ALTER SYSTEM SET ssl = on", "SELECT pg_reload_conf()");
    Awaitility.await().until(() -> owner.ask("SHOW ssl").equals("on"));
  }

  private static void copy(DatabaseOwner owner, Path from, String to)
      throws IOException, SQLException {
    List<String> lines = Files.readAllLines(from);
    try (Connection connection = owner.connect()) {
      connection.createStatement().execute("CREATE TEMPORARY TABLE lines (n serial, line text)");
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO lines (line) VALUES (?)")) {
        for (String line : lines) {
          insert.setString(1, line);
          insert.executeUpdate();
        }
      }
      connection
          .createStatement()
          .execute("COPY (SELECT line FROM lines ORDER BY n) TO '" + to + "'");
    }
  }
}

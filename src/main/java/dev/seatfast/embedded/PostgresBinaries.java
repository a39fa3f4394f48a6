package dev.seatfast.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jboss.logging.Logger;
import org.tukaani.xz.XZInputStream;

/** The PostgreSQL server binaries that the build put on the class path for its own platform. */
final class PostgresBinaries {

  private static final Logger LOG = Logger.getLogger(PostgresBinaries.class);

  private PostgresBinaries() {}

  /**
   * Unpacks the binaries below {@code root}, unless an earlier run did.
   *
   * @return the folder that holds {@code bin/postgres}
   * @throws EmbeddedDatabaseException if the class path has no binaries for this platform
   */
  static Path unpackInto(Path root) throws IOException {
    URL archive = archive();
    // The length identifies the archive: another version of PostgreSQL has another one.
    long length = archive.openConnection().getContentLengthLong();
    Path unpacked = root.resolve("binaries-" + length);
    if (Files.isDirectory(unpacked)) {
      return unpacked;
    }
    deleteLeftovers(root, "unpacking-");
    Path temporary = Files.createTempDirectory(root, "unpacking-");
    try (InputStream in = archive.openStream()) {
      extract(in, temporary);
      moveWhole(temporary, unpacked);
    } finally {
      deleteRecursively(temporary);
    }
    return unpacked;
  }

  private static URL archive() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String architecture = System.getProperty("os.arch");
    String system = os.contains("mac") ? "darwin" : os.contains("linux") ? "linux" : os;
    String machine =
        switch (architecture) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "arm_64";
          default -> architecture;
        };
    URL archive =
        PostgresBinaries.class
            .getClassLoader()
            .getResource("postgres-" + system + "-" + machine + ".txz");
    if (archive == null) {
      throw new EmbeddedDatabaseException(
          "There is no embedded PostgreSQL for %s on %s in this build. It exists for Linux and macOS"
                  .formatted(system, architecture)
              + " on x86_64 and arm64, in a build made on that platform; elsewhere set"
              + " quarkus.datasource.jdbc.url to a PostgreSQL of your own.");
    }
    return archive;
  }

  private static void extract(InputStream compressed, Path target) throws IOException {
    // The server may run as another user, who must be able to read it.
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(compressed))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path path = target.resolve(entry.getName()).normalize();
        if (!path.startsWith(target)) {
          throw new IOException("The archive leaves its folder: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(path);
        } else {
          Files.createDirectories(path.getParent());
          if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
          } else {
            Files.copy(tar, path);
            boolean executable = path.getParent().endsWith("bin");
            Files.setPosixFilePermissions(
                path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
          }
        }
      }
    }
  }

  /** Renames in one step, so a process that is killed leaves nothing half done. */
  static void moveWhole(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException | AtomicMoveNotSupportedException e) {
      throw new IOException("Could not rename " + from + " to " + to, e);
    }
  }

  /** Deletes what a killed process left, as far as possible: it may still be written to. */
  static void deleteLeftovers(Path root, String prefix) throws IOException {
    try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(root, prefix + "*")) {
      for (Path leftover : leftovers) {
        try {
          deleteRecursively(leftover);
        } catch (IOException | UncheckedIOException e) {
          LOG.debugf("Left %s where it is: %s", leftover, e.getMessage());
        }
      }
    }
  }

  static void deleteRecursively(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      paths
          .sorted(Comparator.reverseOrder())
          .forEach(
              path -> {
                try {
                  Files.deleteIfExists(path);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}

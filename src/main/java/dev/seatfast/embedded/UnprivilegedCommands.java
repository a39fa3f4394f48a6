package dev.seatfast.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * How to run PostgreSQL's commands, which refuse to run as root.
 *
 * <p>{@code unshare -U} makes a user namespace in which root has no rights but still owns its
 * files. Containers often forbid that; there the commands run as the user {@code nobody}, which
 * becomes the owner of the data folder.
 */
enum UnprivilegedCommands {
  AS_OURSELVES(List.of()),
  IN_USER_NAMESPACE(List.of("unshare", "-U")),
  AS_NOBODY(
      List.of(
          "setpriv",
          "--reuid=" + UnprivilegedCommands.NOBODY,
          "--regid=" + UnprivilegedCommands.NOBODY,
          "--clear-groups"));

  private static final int NOBODY = 65534;
  private static final int PROBE_SECONDS_MAX = 5;

  private final List<String> prefix;

  UnprivilegedCommands(List<String> prefix) {
    this.prefix = prefix;
  }

  /** Returns the first way that works for the user of this process. */
  static UnprivilegedCommands forThisUser() throws IOException {
    if (!isRoot()) {
      return AS_OURSELVES;
    }
    return IN_USER_NAMESPACE.works() ? IN_USER_NAMESPACE : AS_NOBODY;
  }

  private static boolean isRoot() throws IOException {
    Path ours = Files.createTempFile("seatfast", null);
    try {
      return Integer.valueOf(0).equals(Files.getAttribute(ours, "unix:uid"));
    } finally {
      Files.delete(ours);
    }
  }

  List<String> command(List<String> command) {
    List<String> whole = new ArrayList<>(prefix);
    whole.addAll(command);
    return whole;
  }

  /**
   * Returns where to keep the server's files: in {@code wanted}, unless {@code nobody} may not pass
   * one of its parents.
   */
  Path reachable(Path wanted) throws IOException {
    if (this != AS_NOBODY || canPass(wanted)) {
      return wanted;
    }
    String name = "seatfast-" + Integer.toHexString(wanted.toString().hashCode());
    return Files.createDirectories(Path.of("/var/tmp", name));
  }

  /** Makes the user that runs the commands the owner of a folder and of everything in it. */
  void own(Path folder) throws IOException {
    if (this == AS_NOBODY) {
      try (Stream<Path> paths = Files.walk(folder)) {
        for (Path path : (Iterable<Path>) paths::iterator) {
          Files.setAttribute(path, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);
        }
      }
    }
  }

  private boolean works() {
    return succeeds(List.of("true"));
  }

  private boolean canPass(Path folder) {
    return succeeds(List.of("test", "-x", folder.toString()));
  }

  private boolean succeeds(List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command(command))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(PROBE_SECONDS_MAX, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

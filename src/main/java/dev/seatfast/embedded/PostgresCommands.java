package dev.seatfast.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs PostgreSQL's own commands.
 *
 * @param binaries the folder that holds {@code bin}
 * @param workingDirectory where they run
 * @param commands decides which user runs them
 */
record PostgresCommands(Path binaries, Path workingDirectory, UnprivilegedCommands commands) {

  private static final Duration TIME_MAX = Duration.ofSeconds(60);

  /**
   * Runs one command to its end.
   *
   * @throws IOException with the command's output, if it fails or takes too long
   */
  void run(String command, String... arguments) throws IOException {
    List<String> line = new ArrayList<>();
    line.add(binaries.resolve("bin").resolve(command).toString());
    line.addAll(List.of(arguments));
    Path output = Files.createTempFile("seatfast-" + command, ".log");
    try {
      // Into a file, because the server inherits it, and would keep a pipe open.
      Process process =
          new ProcessBuilder(commands.command(line))
              .directory(workingDirectory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(TIME_MAX.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(command + " took longer than " + TIME_MAX);
      }
      if (process.exitValue() != 0) {
        throw new IOException(command + " failed: " + Files.readString(output).strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while running " + command, e);
    } finally {
      Files.deleteIfExists(output);
    }
  }
}

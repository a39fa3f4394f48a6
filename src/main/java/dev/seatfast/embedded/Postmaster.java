package dev.seatfast.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What a running PostgreSQL server records in {@code postmaster.pid}. */
record Postmaster(long pid, int port, boolean ready) {

  private static final int PID_LINE = 0;
  private static final int PORT_LINE = 3;
  private static final int STATUS_LINE = 7;

  static Path file(Path data) {
    return data.resolve("postmaster.pid");
  }

  static Optional<Postmaster> recordedIn(Path data) throws IOException {
    if (!Files.exists(file(data))) {
      return Optional.empty();
    }
    List<String> lines = Files.readAllLines(file(data));
    if (lines.size() <= PORT_LINE) {
      return lines.isEmpty() || lines.get(PID_LINE).isBlank()
          ? Optional.empty()
          : Optional.of(new Postmaster(Long.parseLong(lines.get(PID_LINE).strip()), 0, false));
    }
    boolean ready = lines.size() > STATUS_LINE && lines.get(STATUS_LINE).strip().equals("ready");
    return Optional.of(
        new Postmaster(
            Long.parseLong(lines.get(PID_LINE).strip()),
            Integer.parseInt(lines.get(PORT_LINE).strip()),
            ready));
  }
}

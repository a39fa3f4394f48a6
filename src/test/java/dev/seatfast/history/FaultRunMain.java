package dev.seatfast.history;

import java.nio.file.Path;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;

/** The command behind {@code deploy/faults}. */
public final class FaultRunMain {

  private static final int EXIT_WRONG = 1;
  private static final int EXIT_USAGE = 2;
  private static final int EXIT_UNDECIDED = 3;

  private FaultRunMain() {}

  public static void main(String... arguments) throws Exception {
    Options options;
    try {
      options = Options.parse(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println("faults: " + e.getMessage());
      System.exit(EXIT_USAGE);
      return;
    }
    System.out.printf(
        "%d clients, seed %d, at least %d seconds%n",
        options.clients(), options.seed(), options.seconds());
    Report report =
        new FaultRun(options)
            .run(
                soFar ->
                    System.out.printf(
                        "%s%n%s", LocalTime.now().truncatedTo(ChronoUnit.SECONDS), soFar));
    for (Path file : report.writeFailures(options.folder())) {
      System.out.println("A history that is wrong: " + file);
    }
    System.out.println(
        report.good()
            ? report.undecided() == 0 ? "Every answer is explained." : "Nothing wrong was found."
            : "Some answers are WRONG.");
    System.exit(report.good() ? report.undecided() == 0 ? 0 : EXIT_UNDECIDED : EXIT_WRONG);
  }
}

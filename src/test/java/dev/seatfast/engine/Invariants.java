package dev.seatfast.engine;

import java.util.ArrayList;
import java.util.List;

/** Checks all pools, page by page. */
final class Invariants {

  private Invariants() {}

  static List<InvariantChecker.Disagreement> disagreements(InvariantChecker checker) {
    List<InvariantChecker.Disagreement> all = new ArrayList<>();
    InvariantChecker.Page page = checker.check("");
    while (true) {
      all.addAll(page.disagreements());
      if (page.last() == null) {
        return all;
      }
      page = checker.check(page.last());
    }
  }
}

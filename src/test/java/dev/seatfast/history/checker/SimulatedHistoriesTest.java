package dev.seatfast.history.checker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.history.model.Rule;
import dev.seatfast.history.model.Terms;
import dev.seatfast.history.recording.PoolHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the checker says about thousands of operations of a service that is right, or was. */
class SimulatedHistoriesTest {

  private static final int HISTORIES = 20;
  private static final int OPERATIONS = 200;

  private final HistoryChecker checker = new HistoryChecker(SimulatedHistories.TERMS);

  @Test
  void whatARightServiceAnswersIsExplained() {
    assertExplained(Rule.all());
  }

  @Test
  void whatARightServiceAnswersIsExplainedByWeakerRulesToo() {
    assertExplained(Rule.kept());
  }

  private static void assertExplained(Set<Rule> rules) {
    Terms terms = SimulatedHistories.TERMS;
    HistoryChecker checker =
        new HistoryChecker(
            new Terms(terms.timeToLiveMillis(), terms.timeMaxMillis(), terms.clock(), rules));
    for (PoolHistory history : histories()) {
      Verdict verdict = checker.check(history);
      assertEquals(new Verdict.Explained(), verdict, () -> story(history, verdict));
    }
  }

  private static String story(PoolHistory history, Verdict verdict) {
    return verdict instanceof Verdict.Impossible impossible
        ? Story.of(new Shrinker.Small(history, history, impossible))
        : verdict.toString();
  }

  @ParameterizedTest
  @EnumSource
  void aPlantedFaultIsFoundWhereverItFits(Plant plant) {
    int planted = 0;
    for (PoolHistory history : histories()) {
      Optional<PoolHistory> wrong = plant.into(history, SimulatedHistories.TERMS);
      if (wrong.isPresent()) {
        planted++;
        assertInstanceOf(Verdict.Impossible.class, checker.check(wrong.get()), history.pool());
      }
    }
    assertTrue(planted >= 10, "planted " + planted + " times");
  }

  private static List<PoolHistory> histories() {
    List<PoolHistory> histories = new ArrayList<>();
    for (long seed = 0; seed < HISTORIES; seed++) {
      histories.add(SimulatedHistories.ofWorkshop(seed, OPERATIONS));
      histories.add(SimulatedHistories.ofSlot(seed, OPERATIONS));
    }
    return histories;
  }
}

package dev.seatfast.history.checker;

import static dev.seatfast.history.checker.Script.ONE;
import static dev.seatfast.history.checker.Script.TWO;
import static dev.seatfast.history.checker.Script.accepted;
import static dev.seatfast.history.checker.Script.again;
import static dev.seatfast.history.checker.Script.counts;
import static dev.seatfast.history.checker.Script.hold;
import static dev.seatfast.history.checker.Script.rejected;
import static dev.seatfast.history.checker.Script.reserve;
import static dev.seatfast.history.checker.Script.status;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.history.model.Rule;
import dev.seatfast.history.recording.Answer;
import dev.seatfast.history.recording.Operation;
import dev.seatfast.history.recording.Request;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the checker says about direct reservations and reads in histories written by hand. */
class HistoryCheckerTest {

  private final Script script = Script.workshop(4);

  private void assertExplained() {
    assertEquals(new Verdict.Explained(), script.verdict());
  }

  /** Fails unless the operation that was written last is the one that fits nowhere. */
  private void assertLastImpossible() {
    Verdict.Impossible impossible = assertInstanceOf(Verdict.Impossible.class, script.verdict());
    int last = script.history().operations().size() - 1;
    assertEquals(script.history().operations().get(last), impossible.operation());
  }

  @Test
  void whatCameOneAfterTheOtherIsExplained() {
    script
        .told(0, 10, reserve("a", 3), accepted(3, 3, 4))
        .told(20, 30, reserve("b", 2), rejected(2, 3, 4))
        .told(40, 50, reserve("a", 3), again(accepted(3, 3, 4)))
        .told(60, 70, status(), counts(3, 4, 1, 1, 3));
    assertExplained();
  }

  @Test
  void whatOverlapsMayHaveHappenedInEitherOrder() {
    script
        .told(0, 50, reserve("a", 3), rejected(3, 2, 4))
        .told(10, 40, reserve("b", 2), accepted(2, 2, 4));
    assertExplained();
  }

  @Test
  void whatEndsAsTheOtherBeginsOverlapsIt() {
    script
        .told(0, 10, reserve("a", 3), rejected(3, 2, 4))
        .told(10, 40, reserve("b", 2), accepted(2, 2, 4));
    assertExplained();
  }

  @Test
  void whatCameAfterwardsCanNotHaveHappenedBefore() {
    script
        .told(0, 5, reserve("a", 3), rejected(3, 2, 4))
        .told(10, 40, reserve("b", 2), accepted(2, 2, 4));
    Verdict.Impossible impossible = assertInstanceOf(Verdict.Impossible.class, script.verdict());
    assertEquals(script.history().operations().get(0), impossible.operation());
  }

  @Test
  void aLostDecisionIsFoundInAStatus() {
    script
        .told(0, 10, reserve("a", 3), accepted(3, 3, 4))
        .told(20, 30, status(), counts(0, 4, 0, 0, 0));
    assertLastImpossible();
  }

  @Test
  void aLostDecisionIsFoundInTheTables() {
    Answer tables = new Answer.Tables(4, 3, 1, 0, 3, Map.of(), Map.of());
    script
        .told(0, 10, reserve("a", 3), accepted(3, 3, 4))
        .told(20, 30, new Request.ReadTables(), tables);
    assertLastImpossible();
  }

  @Test
  void aCounterThatDisagreesWithItsRowsIsFound() {
    Answer tables =
        new Answer.Tables(4, 2, 1, 0, 3, Map.of("a", new Answer.ReservationRow(true, 3)), Map.of());
    script
        .told(0, 10, reserve("a", 3), accepted(3, 3, 4))
        .told(20, 30, new Request.ReadTables(), tables);
    assertLastImpossible();
  }

  @Test
  void anOversellIsFound() {
    script
        .told(0, 10, reserve("a", 3), accepted(3, 3, 4))
        .told(20, 30, reserve("b", 2), accepted(2, 5, 4));
    assertLastImpossible();
  }

  @Test
  void anOversellIsFoundThoughEachAnswerLooksRight() {
    script
        .told(0, 30, reserve("a", 3), accepted(3, 3, 4))
        .told(10, 40, reserve("b", 3), accepted(3, 3, 4));
    assertLastImpossible();
  }

  @Test
  void aForgottenReplayIsFound() {
    script
        .told(0, 10, reserve("a", 1), accepted(1, 1, 4))
        .told(20, 30, reserve("a", 1), accepted(1, 2, 4));
    assertLastImpossible();
  }

  @Test
  void aReplayWithoutAFirstRequestIsFound() {
    script.told(0, 10, reserve("a", 1), again(accepted(1, 1, 4)));
    assertLastImpossible();
  }

  @Test
  void whileItIsPausedOnlyWhatWasDecidedIsAnswered() {
    script
        .told(0, 10, reserve("a", 1), accepted(1, 1, 4))
        .told(20, 30, new Request.SetPaused(true), new Answer.OpeningSet())
        .told(40, 50, reserve("b", 1), new Answer.Shut("PAUSED"))
        .told(60, 70, reserve("a", 1), again(accepted(1, 1, 4)))
        .told(80, 110, new Request.SetPaused(false), new Answer.OpeningSet())
        .told(90, 100, reserve("c", 1), new Answer.Shut("PAUSED"))
        .told(120, 130, reserve("b", 1), accepted(1, 2, 4));
    assertExplained();
    script.told(140, 150, reserve("c", 1), new Answer.Shut("PAUSED"));
    assertLastImpossible();
  }

  @Test
  void aReservationThatIsAcceptedAfterThePauseWasToldIsFound() {
    script
        .told(0, 10, new Request.SetPaused(true), new Answer.OpeningSet())
        .told(20, 30, reserve("a", 1), accepted(1, 1, 4));
    assertLastImpossible();
  }

  @Test
  void aReplayWithAnotherStatusIsFound() {
    script
        .told(0, 10, reserve("a", 3), accepted(3, 3, 4))
        .told(20, 30, reserve("b", 3), rejected(3, 3, 4))
        .told(40, 50, new Request.SetCapacity(8), new Answer.CapacitySet())
        .told(60, 70, reserve("b", 3), again(accepted(3, 6, 8)));
    assertLastImpossible();
  }

  @Test
  void aReplayTellsTheReservedOfTheFirstTimeUnlessTheRuleIsOff() {
    script
        .told(0, 10, reserve("a", 1), accepted(1, 1, 4))
        .told(20, 30, reserve("b", 1), accepted(1, 2, 4))
        .told(40, 50, reserve("a", 1), again(accepted(1, 2, 4)));
    assertLastImpossible();
    script.without(Rule.REPLAYS_TELL_FIRST_RESERVED);
    assertExplained();
  }

  @Test
  void aReplayTellsTheSeatsOfTheFirstTimeAndTheCapacityOfToday() {
    script
        .told(0, 10, reserve("a", 1), accepted(1, 1, 4))
        .told(20, 30, new Request.SetCapacity(7), new Answer.CapacitySet())
        .told(40, 50, reserve("a", 3), new Answer.Decided(true, 1, 7, 1, true, true));
    assertExplained();
    script.told(60, 70, reserve("a", 3), new Answer.Decided(true, 3, 7, 1, true, false));
    assertLastImpossible();
  }

  @Test
  void aStatusFromTheFutureIsFound() {
    script
        .told(0, 10, status(), counts(1, 4, 1, 0, 1))
        .told(20, 30, reserve("a", 1), accepted(1, 1, 4));
    Verdict.Impossible impossible = assertInstanceOf(Verdict.Impossible.class, script.verdict());
    assertEquals(status(), impossible.operation().request());
  }

  @Test
  void aStaleStatusIsFound() {
    script
        .told(0, 10, reserve("a", 1), accepted(1, 1, 4))
        .told(20, 30, reserve("b", 1), accepted(1, 2, 4))
        .told(40, 50, status(), counts(1, 4, 1, 0, 1));
    assertLastImpossible();
  }

  @Test
  void aStatusWhoseCountsAreFromDifferentMomentsIsFound() {
    script
        .told(0, 50, reserve("a", 1), accepted(1, 1, 4))
        .told(0, 50, status(), counts(1, 4, 0, 0, 0));
    assertLastImpossible();
  }

  @Test
  void aRequestWithoutAnAnswerMayHaveHadItsEffectLateOrNever() {
    script
        .lost(0, reserve("a", 2))
        .told(20, 30, status(), counts(0, 4, 0, 0, 0))
        .told(40, 50, status(), counts(2, 4, 1, 0, 2))
        .lost(60, reserve("b", 2))
        .told(80, 90, status(), counts(2, 4, 1, 0, 2));
    assertExplained();
  }

  @Test
  void aRequestWithoutAnAnswerHasItsEffectOnceAndForGood() {
    script
        .lost(0, reserve("a", 2))
        .lost(5, reserve("a", 2))
        .told(20, 30, status(), counts(2, 4, 1, 0, 2))
        .told(40, 50, status(), counts(0, 4, 0, 0, 0));
    assertLastImpossible();
  }

  @Test
  void theRetryOfALostRequestIsAReplayIfThatHadItsEffect() {
    script
        .lost(0, reserve("a", 2))
        .told(20, 30, reserve("a", 2), again(accepted(2, 2, 4)))
        .told(40, 50, status(), counts(2, 4, 1, 0, 2));
    assertExplained();
  }

  @Test
  void aCapacityIsNotSetBelowWhatIsTaken() {
    script
        .told(0, 10, reserve("a", 3), accepted(3, 3, 4))
        .told(20, 30, new Request.SetCapacity(2), new Answer.CapacityRefused())
        .told(40, 50, new Request.SetCapacity(3), new Answer.CapacityRefused());
    assertLastImpossible();
  }

  @Test
  void aCapacityThatIsSetAndSetBackAtTheSameTimeIsExplained() {
    script
        .told(0, 90, new Request.SetCapacity(4), new Answer.CapacitySet())
        .told(0, 20, new Request.SetCapacity(9), new Answer.CapacitySet())
        .told(30, 40, status(), counts(0, 9, 0, 0, 0))
        .told(50, 60, status(), counts(0, 4, 0, 0, 0));
    assertExplained();
  }

  @Test
  void seatsMayComeFreeBeforeARejectionIsSeenUnlessTheRuleIsOn() {
    script
        .told(0, 10, hold("key", "ann"), Script.held(ONE, 5))
        .told(20, 60, reserve("a", 4), rejected(4, 1, 4))
        .told(30, 40, Script.cancel(ONE, "ann"), Script.settled())
        .told(45, 50, status(), counts(0, 4, 0, 0, 0))
        .told(70, 80, status(), counts(0, 4, 0, 1, 0));
    assertInstanceOf(Verdict.Impossible.class, script.verdict());
    script.without(Rule.REJECTIONS_COUNT_AT_ONCE);
    assertExplained();
    script.told(90, 95, status(), counts(0, 4, 0, 0, 0));
    assertLastImpossible();
  }

  @Test
  void theTablesMayLackARejectionThatWasNotAnsweredUnlessTheRuleIsOn() {
    Answer.HoldRow row = new Answer.HoldRow("ann", 1, "CANCELLED", 105, 105);
    Answer tables = new Answer.Tables(4, 0, 0, 0, 0, Map.of(), Map.of(ONE, row));
    script
        .told(0, 10, hold("key", "ann"), Script.held(ONE, 5))
        .told(20, 60, reserve("a", 4), rejected(4, 1, 4))
        .told(30, 40, Script.cancel(ONE, "ann"), Script.settled())
        .told(45, 50, new Request.ReadTables(), tables);
    assertInstanceOf(Verdict.Impossible.class, script.verdict());
    script.without(Rule.REJECTIONS_COUNT_AT_ONCE);
    assertExplained();
  }

  @Test
  void aSearchThatTakesTooLongEndsWithoutAVerdict() {
    Script many = Script.workshop(100);
    for (int i = 0; i < 30; i++) {
      many.lost(0, reserve("id-" + i, 1));
    }
    many.told(10, 20, reserve("last", 1), accepted(1, 16, 100));
    Verdict verdict = new HistoryChecker(many.terms(), 1_000).check(many.history());
    assertInstanceOf(Verdict.Undecided.class, verdict);
  }

  @Test
  void aSmallHistoryIsLeftOfALargeOneAndToldFirst() {
    for (int i = 0; i < 20; i++) {
      script
          .told(i * 20, i * 20 + 10, hold("key", "ann"), Script.held(ONE, 5))
          .told(i * 20, i * 20 + 10, status(), counts(1, 4, 0, 0, 0));
      if (i == 3) {
        script
            .told(66, 68, reserve("a", 1), accepted(1, 2, 4))
            .told(69, 70, reserve("b", 1), accepted(1, 3, 4));
        break;
      }
    }
    script
        .told(80, 85, reserve("a", 1), again(accepted(1, 1, 4)))
        .told(90, 95, hold("other", "bob"), Script.held(TWO, 92));
    Verdict.Impossible impossible = assertInstanceOf(Verdict.Impossible.class, script.verdict());
    Shrinker.Small small = new Shrinker(script.terms()).shrink(script.history(), impossible);
    assertEquals(2, small.history().operations().stream().filter(Operation::answered).count());
    String story = Story.of(small);
    assertTrue(
        story.contains("reserve a, 1 seats -> accepted, 1 seats, 1 of 4 reserved, replayed"),
        story);
  }
}

package dev.seatfast.history.checker;

import static dev.seatfast.history.checker.Script.ONE;
import static dev.seatfast.history.checker.Script.TWO;
import static dev.seatfast.history.checker.Script.cancel;
import static dev.seatfast.history.checker.Script.confirm;
import static dev.seatfast.history.checker.Script.expired;
import static dev.seatfast.history.checker.Script.extend;
import static dev.seatfast.history.checker.Script.held;
import static dev.seatfast.history.checker.Script.hold;
import static dev.seatfast.history.checker.Script.refused;
import static dev.seatfast.history.checker.Script.settled;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.seatfast.engine.Settlement.Action;
import dev.seatfast.history.recording.Answer;
import dev.seatfast.history.recording.Request;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the checker says about a slot's holds in histories written by hand. */
class HoldHistoriesTest {

  private final Script script = Script.slot();

  private void assertExplained() {
    assertEquals(new Verdict.Explained(), script.verdict());
  }

  private void assertLastImpossible() {
    Verdict.Impossible impossible = assertInstanceOf(Verdict.Impossible.class, script.verdict());
    int last = script.history().operations().size() - 1;
    assertEquals(script.history().operations().get(last), impossible.operation());
  }

  @Test
  void aHoldThatIsConfirmedStands() {
    script
        .told(0, 10, hold("key", "ann"), held(ONE, 5))
        .told(20, 30, hold("key", "ann"), held(ONE, 5))
        .told(40, 50, confirm(ONE, "ann"), settled())
        .told(60, 70, confirm(ONE, "ann"), settled())
        .told(200, 210, hold("other", "bob"), refused())
        .told(220, 230, hold("key", "ann"), held(ONE, 5));
    assertExplained();
  }

  @Test
  void twoHoldersOfOneSlotAreFound() {
    script
        .told(0, 10, hold("key", "ann"), held(ONE, 5))
        .told(20, 30, hold("key", "bob"), held(TWO, 25));
    assertLastImpossible();
  }

  @Test
  void twoHoldersThatWereToldAtTheSameTimeAreFound() {
    script
        .told(0, 30, hold("key", "ann"), held(ONE, 5))
        .told(0, 30, hold("key", "bob"), held(TWO, 25));
    assertInstanceOf(Verdict.Impossible.class, script.verdict());
  }

  @Test
  void aSecondHolderAfterTheEndIsRight() {
    script
        .told(0, 10, hold("key", "ann"), held(ONE, 5))
        .told(110, 120, hold("key", "bob"), held(TWO, 115))
        .told(130, 140, confirm(ONE, "ann"), expired());
    assertExplained();
  }

  @Test
  void aSecondHolderAfterACancellationIsRight() {
    script
        .told(0, 10, hold("key", "ann"), held(ONE, 5))
        .told(20, 30, cancel(ONE, "ann"), settled())
        .told(40, 50, hold("key", "bob"), held(TWO, 45))
        .told(60, 70, confirm(ONE, "ann"), new Answer.NotSettled("CANCELLED"));
    assertExplained();
  }

  @Test
  void whatIsOverBeforeTheEndSeesTheHold() {
    script
        .told(0, 10, hold("key", "ann"), held(ONE, 5))
        .told(90, 100, confirm(ONE, "ann"), expired());
    assertLastImpossible();
  }

  @Test
  void whatBeginsAfterTheEndDoesNot() {
    script
        .told(0, 10, hold("key", "ann"), held(ONE, 5))
        .told(110, 120, confirm(ONE, "ann"), settled());
    assertLastImpossible();
  }

  @Test
  void whatTouchesTheEndMaySeeEither() {
    script
        .told(0, 10, hold("key", "ann"), held(ONE, 5))
        .told(104, 106, confirm(ONE, "ann"), settled());
    assertExplained();
    Script other =
        Script.slot()
            .told(0, 10, hold("key", "ann"), held(ONE, 5))
            .told(104, 106, confirm(ONE, "ann"), expired());
    assertEquals(new Verdict.Explained(), other.verdict());
  }

  @Test
  void whatWasToldToHaveExpiredIsNeverConfirmed() {
    script
        .told(0, 10, hold("key", "ann"), held(ONE, 5))
        .told(104, 105, confirm(ONE, "ann"), expired())
        .told(100, 109, confirm(ONE, "ann"), settled());
    assertLastImpossible();
  }

  @Test
  void whatWasReadAsExpiredIsNeverCancelled() {
    script
        .told(0, 10, hold("key", "ann"), held(ONE, 5))
        .told(104, 105, new Request.ReadHold(ONE, "ann"), new Answer.HoldSeen("EXPIRED", 1, 105))
        .told(100, 109, cancel(ONE, "ann"), settled());
    assertLastImpossible();
  }

  @Test
  void anEndThatIsNoTimeToLiveAwayIsFound() {
    script.told(0, 10, hold("key", "ann"), held(ONE, 40));
    assertInstanceOf(Verdict.Impossible.class, script.verdict());
  }

  @Test
  void anExtendedHoldLastsUntilItsNewEnd() {
    script
        .told(0, 10, hold("key", "ann"), held(ONE, 5))
        .told(50, 60, extend(ONE, "ann"), new Answer.Extended(155))
        .told(130, 140, hold("key", "bob"), refused())
        .told(160, 170, confirm(ONE, "ann"), expired());
    assertExplained();
  }

  @Test
  void aLostExtensionIsKnownByItsEnd() {
    script
        .told(0, 10, hold("key", "ann"), held(ONE, 5))
        .lost(50, extend(ONE, "ann"))
        .told(130, 140, hold("key", "ann"), new Answer.SlotHeld(ONE, 160))
        .told(141, 145, confirm(ONE, "ann"), settled());
    assertExplained();
  }

  @Test
  void aHoldIsExtendedNoFurtherThanTheLongestTime() {
    script
        .told(0, 10, hold("key", "ann"), held(ONE, 5))
        .told(90, 100, extend(ONE, "ann"), new Answer.Extended(195))
        .told(180, 190, extend(ONE, "ann"), new Answer.Extended(255))
        .told(200, 210, extend(ONE, "ann"), new Answer.NotSettled("TOO_LONG"));
    assertExplained();
    script.told(220, 230, extend(ONE, "ann"), new Answer.Extended(325));
    assertInstanceOf(Verdict.Impossible.class, script.verdict());
  }

  @Test
  void aLostHoldIsKnownByItsRepetition() {
    script
        .lost(0, hold("key", "ann"))
        .told(20, 30, hold("key", "bob"), refused())
        .told(40, 50, hold("key", "ann"), held(ONE, 10));
    assertExplained();
  }

  @Test
  void aLostHoldIsKnownByTheTables() {
    Map<UUID, Answer.HoldRow> rows = Map.of(ONE, new Answer.HoldRow("ann", 1, "EXPIRED", 110, 110));
    script
        .lost(0, hold("key", "ann"))
        .told(20, 30, hold("key", "bob"), refused())
        .told(120, 130, new Request.ReadTables(), new Answer.Tables(1, 0, 0, 0, 0, Map.of(), rows));
    assertExplained();
  }

  @Test
  void aRefusalWithoutAReasonIsFound() {
    script.told(20, 30, hold("key", "bob"), refused());
    assertLastImpossible();
  }

  @Test
  void equalKeysOfTwoUsersAreTwoKeys() {
    script
        .told(0, 10, hold("key", "ann"), held(ONE, 5))
        .told(20, 30, cancel(ONE, "ann"), settled())
        .told(40, 50, hold("key", "bob"), held(TWO, 45))
        .told(60, 70, hold("key", "ann"), held(ONE, 5));
    assertLastImpossible();
  }

  @Test
  void onlyTheOwnerSettlesAHold() {
    script
        .told(0, 10, hold("key", "ann"), held(ONE, 5))
        .told(20, 30, confirm(ONE, "bob"), new Answer.NotSettled("NOT_OWNER"))
        .told(40, 50, confirm(TWO, "bob"), new Answer.NotSettled("NOT_FOUND"))
        .told(60, 70, confirm(ONE, "bob"), settled());
    assertLastImpossible();
  }

  @Test
  void theFixedContractTellsOfACancelledHoldThatItExpired() {
    script
        .told(0, 10, hold("key", "ann"), held(ONE, 5))
        .told(20, 30, cancel(ONE, "ann"), settled())
        .told(40, 50, new Request.Settle(Action.CONFIRM, ONE, "ann", true), expired());
    assertExplained();
  }
}

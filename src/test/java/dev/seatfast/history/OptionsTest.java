package dev.seatfast.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.seatfast.history.faults.Fault;
import dev.seatfast.history.model.Rule;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {

  @Test
  void withoutArgumentsEveryFaultIsInflictedForOneRound() {
    Options options = Options.parse();
    assertEquals(EnumSet.allOf(Fault.class), options.faults());
    assertEquals(Rule.kept(), options.rules());
    assertEquals(0, options.seconds());
  }

  @Test
  void argumentsSaySo() {
    Options options =
        Options.parse(
            "--seconds=60",
            "--clients=5",
            "--seed=7",
            "--faults=kill-instance,lose-reply",
            "--rules=none",
            "--setting=SEATFAST_EVENTS_ENABLED=true");
    assertEquals(60, options.seconds());
    assertEquals(5, options.clients());
    assertEquals(7, options.seed());
    assertEquals(EnumSet.of(Fault.KILL_INSTANCE, Fault.LOSE_REPLY), options.faults());
    assertEquals(Set.of(), options.rules());
    assertEquals(Map.of("SEATFAST_EVENTS_ENABLED", "true"), options.settings());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--second=5", "--seconds", "--seconds=x", "--clients=999", "--faults=flood"})
  void aWrongArgumentIsRefused(String argument) {
    assertThrows(IllegalArgumentException.class, () -> Options.parse(argument));
  }
}

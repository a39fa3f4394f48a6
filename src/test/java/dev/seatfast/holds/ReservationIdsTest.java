package dev.seatfast.holds;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.seatfast.engine.Settlement;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReservationIdsTest {

  private final UUID id = UUID.fromString("0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d");

  @Test
  void anIdComesFromTheSource() {
    assertEquals(id, new ReservationIds(() -> id).next());
  }

  @Test
  void anIdIsReadWhateverTheCaseOfItsLetters() {
    assertEquals(Optional.of(id), ReservationIds.parse(id.toString()));
    assertEquals(Optional.of(id), ReservationIds.parse(id.toString().toUpperCase()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no-uuid",
        "0b1c2d3e4f504a6b8c7d9e0f1a2b3c4d",
        "1-1-1-1-1",
        "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4g",
        "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d "
      })
  void anythingElseIsNoId(String text) {
    assertEquals(Optional.empty(), ReservationIds.parse(text));
  }

  @Test
  void theRoutesHaveASegmentForEveryActionAndNoOther() {
    String segments = HoldActions.PATH.replaceFirst("\\{action: (.*)}", "$1");
    List<Settlement.Action> actions =
        Arrays.stream(segments.split("\\|")).map(HoldActions::of).toList();
    assertEquals(List.of(Settlement.Action.values()), actions);
  }
}

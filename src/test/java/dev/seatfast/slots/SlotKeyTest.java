package dev.seatfast.slots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.seatfast.engine.PoolKey;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlotKeyTest {

  @ParameterizedTest
  @CsvSource({
    "2026-12-01T01:00Z, 2026-12-01T01:00:00.000Z",
    "2026-12-01T10:00:00+09:00, 2026-12-01T01:00:00.000Z",
    "2026-11-30T19:30:00-05:30, 2026-12-01T01:00:00.000Z",
    "2026-12-01T01:00:00.123456789Z, 2026-12-01T01:00:00.123Z",
    "2026-12-01T01:00:00.9Z, 2026-12-01T01:00:00.900Z",
    "2028-02-29T23:59:59Z, 2028-02-29T23:59:59.000Z",
    "1970-01-01T00:00:00Z, 1970-01-01T00:00:00.000Z",
    "1969-12-31T23:59:59.999Z, 1969-12-31T23:59:59.999Z",
    "9999-12-31T23:59:59.999Z, 9999-12-31T23:59:59.999Z",
    "0000-01-01T00:00:00Z, 0000-01-01T00:00:00.000Z",
    "2026-12-01t01:00:00z, 2026-12-01T01:00:00.000Z",
    "1990-12-31T23:59:60Z, 1991-01-01T00:00:00.000Z",
    "1990-12-31T15:59:60-08:00, 1991-01-01T00:00:00.000Z",
    "2015-07-01T08:59:60.5+09:00, 2015-07-01T00:00:00.500Z",
    "2016-12-31T23:59:60.9999Z, 2017-01-01T00:00:00.999Z"
  })
  void aTimeIsItsInstantInMilliseconds(String text, String key) {
    SlotKey slot = SlotKey.of("t", "r", text);
    assertEquals("s:1:t:1:r:" + key, slot.pool().value());
    assertEquals(Instant.parse(key), slot.start());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-12-01",
        "2026-12-01T01:00:00",
        "2026-12-01 01:00:00Z",
        "2026-12-01T01Z",
        "2026-02-29T00:00:00Z",
        "2026-02-30T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-12-01T24:00:00Z",
        "2026-12-01T23:60:00Z",
        "2026-12-01T23:59:60Z",
        "2026-12-31T23:58:60Z",
        "2026-12-31T22:59:60Z",
        "2026-12-31T23:59:60+01:00",
        "2026-12-31T23:59:61Z",
        "2026-09-30T23:59:60Z",
        "9999-12-31T23:59:60Z",
        "2026-12-01T01:00:00+19:00",
        "2026-12-01T01:00:00+0900",
        "2026-12-01T01:00:00+09",
        "2026-12-01T01:00:00Z[UTC]",
        "2026-12-01T01:00:00.Z",
        "2026-12-01T01:00:00.1234567890Z",
        "+12026-12-01T01:00:00Z",
        "-2026-12-01T01:00:00Z",
        "20261201T010000Z",
        "2026-W49-2T01:00Z",
        "9999-12-31T23:59:59-01:00",
        "0000-01-01T00:00:00+01:00",
        " 2026-12-01T01:00:00Z",
        "1796086800000"
      })
  void anythingElseIsNoTime(String text) {
    ApiException refusal = assertThrows(ApiException.class, () -> SlotKey.of("t", "r", text));
    assertEquals(ApiError.INVALID_SLOT_START, refusal.error());
  }

  @Test
  void theHourThatComesTwiceIsTwoSlots() {
    assertNotEquals(
        SlotKey.of("t", "r", "2026-11-01T01:30:00-04:00").pool(),
        SlotKey.of("t", "r", "2026-11-01T01:30:00-05:00").pool());
    assertEquals(
        SlotKey.of("t", "r", "2026-11-01T01:30:00-05:00").pool(),
        SlotKey.of("t", "r", "2026-11-01T02:30:00-04:00").pool());
  }

  @Test
  void noTwoSlotsShareAKeyWhateverTheirNamesContain() {
    Instant start = Instant.EPOCH;
    assertNotEquals(PoolKey.ofSlot("a:1:b", "c", start), PoolKey.ofSlot("a", "1:b:c", start));
    assertNotEquals(PoolKey.ofSlot("a", "b:1:c", start), PoolKey.ofSlot("a:b", "1:c", start));
    assertNotEquals(PoolKey.ofSlot("1:a", "b", start), PoolKey.ofSlot("1", "a:b", start));
  }
}

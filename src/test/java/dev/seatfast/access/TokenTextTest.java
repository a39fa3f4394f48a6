package dev.seatfast.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenTextTest {

  private final TokenText.Secret secret = TokenText.generate(new SecureRandom());

  @Test
  void aTokenIsReadBackWithItsIdAndItsHash() {
    assertTrue(secret.text().matches("sf_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}"));
    assertEquals(Optional.of(secret.token()), TokenText.parse(secret.text()));
    assertEquals(secret.text().substring(3, 15), secret.token().id());
  }

  @Test
  void aTokenWithAnyOtherCharacterIsNone() {
    for (int i = 0; i < secret.text().length(); i++) {
      StringBuilder wrong = new StringBuilder(secret.text());
      wrong.setCharAt(i, wrong.charAt(i) == 'x' ? 'y' : 'x');
      assertEquals(Optional.empty(), TokenText.parse(wrong.toString()), wrong.toString());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "sf_", "sf__", "x", "sf_000000000000_", "\u0000", "sf_é"})
  void somethingElseIsNone(String text) {
    assertEquals(Optional.empty(), TokenText.parse(text));
  }

  @Test
  void aTokenWithMoreAroundItIsNone() {
    assertEquals(Optional.empty(), TokenText.parse(secret.text() + "0"));
    assertEquals(Optional.empty(), TokenText.parse(" " + secret.text()));
    assertEquals(Optional.empty(), TokenText.parse(secret.text() + "\n"));
  }

  @Test
  void twoTokensHaveNothingInCommon() {
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      ids.add(TokenText.generate(new SecureRandom()).token().id());
    }
    assertEquals(1_000, ids.size());
  }

  @Test
  void aSecretDoesNotWriteItselfOut() {
    String end = secret.text().substring(16);
    assertFalse(secret.toString().contains(end));
    assertFalse(secret.token().toString().contains(end));
  }
}

package dev.seatfast.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoginStoreTest {

  @TempDir Path home;

  @Test
  void everySystemHasItsFolderAndTheVariableWins() {
    assertEquals(Path.of("/home/anna/.config/seatfast"), folder("Linux", Map.of()));
    assertEquals(
        Path.of("/home/anna/Library/Application Support/seatfast"), folder("Mac OS X", Map.of()));
    assertEquals(Path.of("/roaming/seatfast"), folder("Windows 11", Map.of("APPDATA", "/roaming")));
    for (String system : List.of("Linux", "Mac OS X", "Windows 11")) {
      assertEquals(Path.of("/xdg/seatfast"), folder(system, Map.of("XDG_CONFIG_HOME", "/xdg")));
    }
    assertEquals(
        Path.of("/home/anna/.config/seatfast"),
        folder("Linux", Map.of("XDG_CONFIG_HOME", "relative")));
  }

  private static Path folder(String system, Map<String, String> environment) {
    return LoginStore.folder(environment, system, "/home/anna");
  }

  @Test
  void eachServiceHasALoginOfItsOwnThatIsReplacedAsAWhole() throws Exception {
    LoginStore store = new LoginStore(home.resolve("seatfast"));
    SafeUrl one = SafeUrl.of("url", "https://one.example");
    SafeUrl two = SafeUrl.of("url", "https://two.example/shop");
    KeptLogin renewed =
        new KeptLogin(
            two.text(),
            "token-of-two",
            Optional.of(Instant.parse("2030-01-01T00:00:00Z")),
            Optional.of(new KeptLogin.Renewal("https://login.example/token", "cli", "secret")));
    store.put(login(one, "token-of-one"));
    store.put(login(two, "an-older-token"));
    store.put(renewed);
    assertEquals(Optional.of(login(one, "token-of-one")), store.find(one));
    assertEquals(Optional.of(renewed), store.find(two));
    assertTrue(store.remove(one));
    assertEquals(Optional.empty(), store.find(one));
    assertEquals(Optional.of(renewed), store.find(two));
    try (Stream<Path> left = Files.list(home.resolve("seatfast"))) {
      assertEquals(1, left.count(), "nothing is left of what was replaced");
    }
  }

  @Test
  void aFileOfAnotherFormIsNotUsed() throws Exception {
    LoginStore store = new LoginStore(home.resolve("seatfast"));
    SafeUrl url = SafeUrl.of("url", "https://one.example");
    for (String content :
        List.of("", "{", "[]", "{\"url\":\"https://two.example\",\"token\":\"secret\"}")) {
      store.put(login(url, "a-token"));
      overwrite(content);
      assertThrows(LoginException.class, () -> store.find(url), content);
    }
  }

  private void overwrite(String content) throws IOException {
    try (Stream<Path> files = Files.list(home.resolve("seatfast"))) {
      Files.writeString(files.findFirst().orElseThrow(), content);
    }
  }

  private static KeptLogin login(SafeUrl url, String token) {
    return new KeptLogin(url.text(), token, Optional.empty(), Optional.empty());
  }

  @ParameterizedTest
  @CsvSource({
    "https://seatfast.example/shop, HTTPS://Seatfast.Example:443/shop//",
    "https://seatfast.example, https://seatfast.example/",
    "http://127.0.0.1, http://127.0.0.1:80",
    "http://[::1]:8080, http://[::1]:8080/"
  })
  void aUrlHasOneFormHoweverItIsWritten(String form, String text) throws LoginException {
    assertEquals(form, SafeUrl.of("url", text).text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "seatfast",
        "http://seatfast.example",
        "ftp://seatfast.example",
        "https://me@seatfast.example",
        "https://seatfast.example?a=b",
        "https://seatfast.example#a",
        "https:///shop",
        "https://seatfast.example/caf\u00e9"
      })
  void aSecretGoesToNoOtherUrl(String text) {
    assertThrows(LoginException.class, () -> SafeUrl.of("url", text));
  }
}

package dev.seatfast.login;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps the logins of this user, a file for each service, in the folder that the system has for
 * settings. Only the user can read them: where others can, they are not used. A file is replaced as
 * a whole or not at all.
 */
final class LoginStore {

  private static final int BYTES_MAX = 64 * 1024;
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private static final Set<PosixFilePermission> OF_OTHERS =
      PosixFilePermissions.fromString("---rwxrwx");

  private static final Set<PosixFilePermission> CHANGES_BY_OTHERS =
      PosixFilePermissions.fromString("----w--w-");

  private final Path folder;

  LoginStore(Path folder) {
    this.folder = folder;
  }

  /**
   * Returns where a user's settings are: below {@code XDG_CONFIG_HOME} if it is set, else where the
   * system has them. deploy/tools/seatfast_tools/logins.py looks in the same place.
   */
  static Path folder(Map<String, String> environment, String system, String home) {
    String chosen = environment.getOrDefault("XDG_CONFIG_HOME", "");
    if (Path.of(chosen).isAbsolute()) { // as its specification demands
      return Path.of(chosen, "seatfast");
    }
    String name = system.toLowerCase(Locale.ROOT);
    if (name.startsWith("mac")) {
      return Path.of(home, "Library", "Application Support", "seatfast");
    }
    if (name.startsWith("windows") && environment.containsKey("APPDATA")) {
      return Path.of(environment.get("APPDATA"), "seatfast");
    }
    return Path.of(home, ".config", "seatfast");
  }

  /** Finds the login of a service; empty if there is none. */
  Optional<KeptLogin> find(SafeUrl url) throws LoginException {
    Path file = file(url);
    try {
      refuseIfNotPrivate(file);
      try (InputStream in = Files.newInputStream(file)) {
        return Optional.of(login(url, JSON.readTree(in.readNBytes(BYTES_MAX))));
      }
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException | DateTimeException e) {
      throw new LoginException("cannot read " + file + "; log in again");
    }
  }

  private void refuseIfNotPrivate(Path file) throws IOException, LoginException {
    if (POSIX) {
      if (Files.getPosixFilePermissions(file).stream().anyMatch(OF_OTHERS::contains)) {
        throw new LoginException(
            "others can read %s, so it is not used; revoke its token, or chmod 600 it"
                .formatted(file));
      }
      refuseIfOthersChange();
    }
  }

  private void refuseIfOthersChange() throws IOException, LoginException {
    if (Files.getPosixFilePermissions(folder).stream().anyMatch(CHANGES_BY_OTHERS::contains)) {
      throw new LoginException("others can write to %s; chmod 700 it".formatted(folder));
    }
  }

  private static KeptLogin login(SafeUrl url, JsonNode kept) throws IOException {
    String token = kept.path("token").asText();
    if (!kept.path("url").asText().equals(url.text()) || token.isEmpty()) {
      throw new IOException("It is of another form");
    }
    JsonNode renewal = kept.path("renewal");
    return new KeptLogin(
        url.text(),
        token,
        Optional.ofNullable(kept.path("expiresAt").textValue()).map(Instant::parse),
        renewal.isObject()
            ? Optional.of(
                new KeptLogin.Renewal(
                    renewal.path("endpoint").asText(),
                    renewal.path("clientId").asText(),
                    renewal.path("refreshToken").asText()))
            : Optional.empty());
  }

  /** Keeps a login instead of the one that the service had. */
  void put(KeptLogin login) throws LoginException {
    ObjectNode kept = JSON.createObjectNode().put("url", login.url()).put("token", login.token());
    login.expiresAt().ifPresent(end -> kept.put("expiresAt", end.toString()));
    login
        .renewal()
        .ifPresent(
            renewal ->
                kept.putObject("renewal")
                    .put("endpoint", renewal.endpoint())
                    .put("clientId", renewal.clientId())
                    .put("refreshToken", renewal.refreshToken()));
    try {
      makeFolder();
      replace(file(login.url()), kept.toPrettyString() + "\n");
    } catch (IOException e) {
      throw new LoginException("cannot write to %s: %s".formatted(folder, e.getMessage()));
    }
  }

  private void makeFolder() throws IOException, LoginException {
    Files.createDirectories(folder.toAbsolutePath().getParent());
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, forOwner("rwx------"));
    }
    if (POSIX) {
      refuseIfOthersChange();
    }
  }

  private void replace(Path file, String content) throws IOException {
    Path fresh = Files.createTempFile(folder, "login-", ".tmp", forOwner("rw-------"));
    try {
      try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private static FileAttribute<?>[] forOwner(String permissions) {
    return POSIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0]; // a user's folder is private there anyway
  }

  /**
   * Forgets the login of a service.
   *
   * @return whether there was one
   */
  boolean remove(SafeUrl url) throws LoginException {
    try {
      return Files.deleteIfExists(file(url));
    } catch (IOException e) {
      throw new LoginException("cannot delete " + file(url));
    }
  }

  private Path file(SafeUrl url) {
    return file(url.text());
  }

  private Path file(String url) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(url.getBytes(StandardCharsets.US_ASCII));
      return folder.resolve("login-" + HexFormat.of().formatHex(hash, 0, 16) + ".json");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}

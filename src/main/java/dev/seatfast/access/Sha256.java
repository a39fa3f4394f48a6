package dev.seatfast.access;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** A SHA-256, which can be the key of a map. */
record Sha256(ByteBuffer bytes) {

  static Sha256 of(String text) {
    try {
      return of(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JVM has SHA-256", e);
    }
  }

  static Sha256 of(byte[] digest) {
    return new Sha256(ByteBuffer.wrap(digest.clone()).asReadOnlyBuffer());
  }

  byte[] toArray() {
    byte[] digest = new byte[bytes.remaining()];
    bytes.duplicate().get(digest);
    return digest;
  }

  /** Takes the same time wherever the two differ. */
  boolean isSameAs(Sha256 other) {
    return MessageDigest.isEqual(toArray(), other.toArray());
  }
}

package dev.seatfast.access;

import io.vertx.core.Vertx;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;

/** Where the keys of an OpenID provider come from, as a JSON Web Key Set. */
@FunctionalInterface
interface KeySource {

  /** The largest set that is read, in bytes; that of a provider has a few kilobytes. */
  int BYTES_MAX = 512 * 1024;

  /** Reads the set without blocking; takes {@value HttpKeySource#TIME_MS_MAX} ms at most. */
  CompletionStage<String> fetch();

  static KeySource of(URI url, Vertx vertx) {
    return new HttpKeySource(url, vertx);
  }

  static KeySource of(Path file, Vertx vertx) {
    return () ->
        vertx
            .fileSystem()
            .props(file.toString())
            .compose(
                properties -> {
                  if (properties.size() > BYTES_MAX) {
                    throw new IllegalStateException("The file of keys is too large");
                  }
                  return vertx.fileSystem().readFile(file.toString());
                })
            .map(content -> content.toString())
            .toCompletionStage();
  }
}

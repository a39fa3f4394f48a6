package dev.seatfast.database;

/**
 * The namespace is deleted. That is final: nothing can be decided in it, read from it, or ever will
 * be.
 */
public final class NamespaceDeletedException extends RuntimeException {

  public NamespaceDeletedException(String schema) {
    super(
        "The namespace %s was deleted, and stays so. A new one needs another seatfast.namespace."
            .formatted(schema));
  }
}

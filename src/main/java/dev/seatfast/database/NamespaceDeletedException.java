package dev.seatfast.database;

/** The namespace is deleted. That is final: it takes no decisions and holds no data any more. */
public final class NamespaceDeletedException extends RuntimeException {

  public NamespaceDeletedException(String schema) {
    super(
        "The namespace %s was deleted, and stays so. A new one needs another seatfast.namespace."
            .formatted(schema));
  }
}

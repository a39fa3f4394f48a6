package dev.seatfast.namespace;

/** Desired state of the namespace. */
public enum NamespaceState {
  /** In use. */
  ACTIVE,
  /** Deleted for good: all its data is gone, and its name cannot be used again. */
  DELETED
}

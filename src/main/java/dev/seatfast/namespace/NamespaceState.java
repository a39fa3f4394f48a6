package dev.seatfast.namespace;

/** What shall become of the namespace. */
public enum NamespaceState {
  /** It is used. */
  ACTIVE,
  /** All its data is deleted for good, and nobody can use it again. */
  DELETED
}

package dev.seatfast.access;

/** Which credentials open the service. */
public enum AccessMode {
  /** None is needed: for laptops, and behind a platform that guards the way in. */
  OPEN,
  /** API tokens. */
  TOKENS,
  /** Signed identities of an OpenID provider. */
  IDENTITIES,
  /** Either of the two. */
  BOTH;

  public boolean isOpen() {
    return this == OPEN;
  }

  boolean takesTokens() {
    return this == TOKENS || this == BOTH;
  }

  boolean takesIdentities() {
    return this == IDENTITIES || this == BOTH;
  }
}

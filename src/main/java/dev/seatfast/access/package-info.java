/**
 * Who may do what: API tokens, signed identities of an OpenID provider, the rules of the routes,
 * the limits on callers, and the record of what operators changed.
 *
 * <p>A request meets {@code AccessFilter} first. It asks {@code Authenticator} who the {@link
 * dev.seatfast.access.Caller} is and {@code AccessRules} what its route needs. Tenant and user are
 * compared where a resource reads them.
 *
 * <p>May use {@code http} and {@code database}.
 */
package dev.seatfast.access;

/**
 * The commands {@code login}, {@code whoami} and {@code logout}, which people run on their own
 * machine against a service. They start neither a server nor a database, and use nothing of the
 * other packages.
 *
 * <p>{@code LoginCommand} does what {@code LoginArguments} say. {@code DeviceFlow} gets a token
 * from an OpenID provider, and {@code LoginStore} keeps it.
 */
package dev.seatfast.login;

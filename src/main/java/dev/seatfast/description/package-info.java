/**
 * The description of the routes in OpenAPI.
 *
 * <p>It is generated from the resources' annotations in tests and in dev mode, where {@link
 * dev.seatfast.description.DescriptionFilter} completes it, and kept in {@code openapi.yaml}. A
 * test compares the two. Production has no generator, and serves what is kept. The package uses
 * {@code http} and the token of {@code operators}; no other uses it.
 */
package dev.seatfast.description;

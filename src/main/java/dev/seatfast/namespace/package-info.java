/**
 * The life of the schema that a deployment owns: migrated, checked, and deleted for good. It may
 * use {@code database}; only the main method may use it.
 */
package dev.seatfast.namespace;

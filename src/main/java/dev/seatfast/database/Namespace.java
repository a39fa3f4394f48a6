package dev.seatfast.database;

import java.util.regex.Pattern;

/**
 * The schema that this deployment owns. SQL names it before every table, because a connection
 * pooler may give each transaction another session and so another search path.
 *
 * @param schema a lower-case identifier of at most 48 characters that PostgreSQL has not reserved
 */
public record Namespace(String schema) {

  private static final Pattern VALID = Pattern.compile("[a-z][a-z0-9_]{0,47}");

  public Namespace {
    if (!VALID.matcher(schema).matches()
        || schema.startsWith("pg_")
        || schema.equals("information_schema")) {
      throw new IllegalArgumentException(
          "seatfast.namespace must match [a-z][a-z0-9_]{0,47} and not be a schema of PostgreSQL's"
              + " own, but is '"
              + schema
              + "'");
    }
  }

  /** A statement whose every {@code {schema}} stands for the schema. */
  public String sql(String template) {
    return template.replace("{schema}", '"' + schema + '"');
  }
}

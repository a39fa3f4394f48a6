package dev.seatfast.database;

import io.smallrye.config.ConfigMapping;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How this process authenticates to the database, if not with {@code quarkus.datasource.password}.
 */
@ConfigMapping(prefix = "seatfast.database")
public interface DatabaseCredentialsConfig {

  /** A file that holds the password, read for every new connection: rotating needs no restart. */
  Optional<Path> passwordFile();

  /** The AWS region of an RDS database that accepts IAM tokens as passwords. */
  Optional<String> awsIamRegion();
}

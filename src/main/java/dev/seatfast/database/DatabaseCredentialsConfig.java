package dev.seatfast.database;

import io.smallrye.config.ConfigMapping;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How this process proves who it is to the database, if not by {@code quarkus.datasource.password}.
 */
@ConfigMapping(prefix = "seatfast.database")
public interface DatabaseCredentialsConfig {

  /** A file that holds the password, read for every new connection: rotating needs no restart. */
  Optional<Path> passwordFile();

  /** The region of an RDS database that takes IAM tokens for passwords. */
  Optional<String> awsIamRegion();
}

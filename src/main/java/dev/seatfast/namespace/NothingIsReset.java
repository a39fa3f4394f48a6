package dev.seatfast.namespace;

import io.quarkus.flyway.FlywayConfigurationCustomizer;
import jakarta.inject.Singleton;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * No setting makes a start empty a schema, or take one that is not ours for an old version of ours:
 * a tombstone would not survive either.
 */
@Singleton
public class NothingIsReset implements FlywayConfigurationCustomizer {

  @Override
  public void customize(FluentConfiguration configuration) {
    configuration.cleanDisabled(true).baselineOnMigrate(false);
  }
}

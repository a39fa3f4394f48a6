package dev.seatfast.namespace;

import io.quarkus.flyway.FlywayConfigurationCustomizer;
import jakarta.inject.Singleton;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Overrides every setting with which a start would empty a schema, or take one that is not ours for
 * an old version of ours: a tombstone would not survive either.
 */
@Singleton
public class FlywayGuard implements FlywayConfigurationCustomizer {

  @Override
  public void customize(FluentConfiguration configuration) {
    configuration.cleanDisabled(true).baselineOnMigrate(false);
  }
}

package dev.holdfast;

import io.quarkus.runtime.configuration.ConfigUtils;
import io.quarkus.runtime.configuration.DurationConverter;
import io.quarkus.runtime.configuration.PathConverter;
import io.quarkus.runtime.configuration.RuntimeConfigBuilder;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.Converter;

/**
 * The configuration as Quarkus is going to read it, but before it starts. What {@code
 * ConfigProvider} has at that time is, in a native executable, the configuration of the build.
 */
final class EarlyConfig {

  private EarlyConfig() {}

  static Config read() {
    return ConfigUtils.configBuilder()
        .withCustomizers(new RuntimeConfigBuilder())
        .withConverters(new Converter<?>[] {new DurationConverter(), new PathConverter()})
        .build();
  }
}

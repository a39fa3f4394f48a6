package dev.seatfast;

import dev.seatfast.access.AccessConfig;
import dev.seatfast.database.DatabaseConfig;
import dev.seatfast.database.DatabaseCredentialsConfig;
import dev.seatfast.embedded.EmbeddedDatabaseConfig;
import dev.seatfast.namespace.NamespaceConfig;
import io.quarkus.runtime.configuration.DurationConverter;
import io.quarkus.runtime.configuration.PathConverter;
import io.quarkus.runtime.configuration.QuarkusConfigBuilderCustomizer;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.PropertiesConfigSourceLoader;
import io.smallrye.config.PropertiesLocationConfigSourceFactory;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Path;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.eclipse.microprofile.config.spi.Converter;

/**
 * Reads the configuration as Quarkus will read it, but before Quarkus starts. What {@code
 * ConfigProvider} has at that time is, in a native executable, the configuration of the build.
 *
 * <p>The sources, converters and interceptors are named here, and are those that Quarkus finds for
 * this program: a native executable needs longer to search the class path for them than for all the
 * rest of this.
 */
final class EarlyConfig {

  private static final String PROPERTIES = "application.properties";

  /** The precedence of the files, as in the reference of Quarkus' configuration. */
  private static final int FILE_ORDINAL = 260;

  private static final int CLASS_PATH_ORDINAL = 250;

  private EarlyConfig() {}

  /**
   * @param more what counts beside the usual sources
   */
  static SmallRyeConfig read(ConfigSource... more) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return new SmallRyeConfigBuilder()
        .forClassLoader(loader)
        .withCustomizers(new QuarkusConfigBuilderCustomizer())
        .addDefaultInterceptors()
        .withInterceptors(new SecretsAsWritten())
        .addSystemSources()
        .withSources(
            PropertiesConfigSourceLoader.inFileSystem(
                Path.of("config", PROPERTIES).toUri().toString(), FILE_ORDINAL, loader))
        .withSources(ours(loader))
        .withSources(new PropertiesLocationConfigSourceFactory())
        .withSources(more)
        .withConverters(new Converter<?>[] {new DurationConverter(), new PathConverter()})
        .withMapping(AccessConfig.class)
        .withMapping(DatabaseConfig.class)
        .withMapping(DatabaseCredentialsConfig.class)
        .withMapping(EmbeddedDatabaseConfig.class)
        .withMapping(NamespaceConfig.class)
        .withValidateUnknown(false)
        .build();
  }

  private static PropertiesConfigSource ours(ClassLoader loader) {
    URL url = loader.getResource(PROPERTIES);
    try {
      return new PropertiesConfigSource(url, CLASS_PATH_ORDINAL);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

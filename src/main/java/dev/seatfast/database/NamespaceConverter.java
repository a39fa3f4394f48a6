package dev.seatfast.database;

import org.eclipse.microprofile.config.spi.Converter;

/** Reads a {@link Namespace} from the configuration. */
public class NamespaceConverter implements Converter<Namespace> {

  @Override
  public Namespace convert(String value) {
    return new Namespace(value);
  }
}

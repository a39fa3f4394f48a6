package dev.seatfast.database;

import org.eclipse.microprofile.config.spi.Converter;

/** Reads a {@link Namespace} from the configuration; its complaint becomes part of the message. */
public class NamespaceConverter implements Converter<Namespace> {

  @Override
  public Namespace convert(String value) {
    return new Namespace(value);
  }
}

package dev.seatfast.http;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Set;

/**
 * Bounds the metrics of HTTP, where each value of a label is memory that is never freed: clients
 * choose the method, which may be any word. The configuration bounds the paths.
 */
public class HttpMetrics {

  private static final String METHOD = "method";
  private static final Tag OTHER = Tag.of(METHOD, "OTHER");
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT");

  @Produces
  @Singleton
  MeterFilter foldUnknownMethods() {
    return new MeterFilter() {
      @Override
      public Meter.Id map(Meter.Id id) {
        String method = id.getName().startsWith("http.server") ? id.getTag(METHOD) : null;
        return method == null || METHODS.contains(method) ? id : id.replaceTags(withOther(id));
      }
    };
  }

  private static Iterable<Tag> withOther(Meter.Id id) {
    return id.getTags().stream().map(tag -> tag.getKey().equals(METHOD) ? OTHER : tag).toList();
  }
}

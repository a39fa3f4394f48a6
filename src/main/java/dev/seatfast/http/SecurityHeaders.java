package dev.seatfast.http;

import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The headers of every answer: nobody shall guess its type, or keep it. */
@ApplicationScoped
public class SecurityHeaders {

  public static final SortedMap<String, String> ALL =
      Collections.unmodifiableSortedMap(
          new TreeMap<>(Map.of("Cache-Control", "no-store", "X-Content-Type-Options", "nosniff")));

  void register(@Observes Router router) {
    router
        .route()
        .order(Integer.MIN_VALUE)
        .handler(
            context -> {
              addTo(context.response());
              context.next();
            });
  }

  static void addTo(HttpServerResponse response) {
    ALL.forEach(response::putHeader);
  }
}

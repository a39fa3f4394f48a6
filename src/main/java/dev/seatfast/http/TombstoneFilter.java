package dev.seatfast.http;

import dev.seatfast.database.Tombstone;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** Once the namespace is deleted, there is one answer to everything but the health probes. */
@ApplicationScoped
public class TombstoneFilter {

  private final Tombstone tombstone;

  TombstoneFilter(Tombstone tombstone) {
    this.tombstone = tombstone;
  }

  void register(@Observes Filters filters) {
    FilterOrder.TOMBSTONE.register(filters, this::check);
  }

  private void check(RoutingContext context) {
    if (tombstone.isDeleting() && !isProbe(context.normalizedPath())) {
      ErrorResponses.end(context, ApiError.CLEANUP);
    } else {
      context.next();
    }
  }

  private static boolean isProbe(String path) {
    return path.equals("/health") || path.equals("/q/health") || path.startsWith("/q/health/");
  }
}

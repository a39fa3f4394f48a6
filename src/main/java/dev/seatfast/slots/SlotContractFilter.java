package dev.seatfast.slots;

import dev.seatfast.http.ApiError;
import dev.seatfast.http.ErrorResponses;
import dev.seatfast.http.FilterOrder;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Set;

/** Lets through the two routes of the fixed slot contract, exactly as spelled, and POST alone. */
@ApplicationScoped
class SlotContractFilter {

  private static final String PREFIX = "/api/reservations";
  private static final Set<String> ROUTES = Set.of(PREFIX + "/hold", PREFIX + "/confirm");

  void register(@Observes Filters filters) {
    FilterOrder.SLOT_CONTRACT.register(filters, SlotContractFilter::check);
  }

  private static void check(RoutingContext context) {
    if (ROUTES.contains(context.request().path())) {
      if (context.request().method() == HttpMethod.POST) {
        context.next();
      } else {
        ErrorResponses.end(context, ApiError.METHOD_NOT_ALLOWED);
      }
    } else if (context.normalizedPath().startsWith(PREFIX)) {
      ErrorResponses.end(context, ApiError.NOT_FOUND);
    } else {
      context.next();
    }
  }
}

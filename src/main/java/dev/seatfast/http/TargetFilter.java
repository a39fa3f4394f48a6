package dev.seatfast.http;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** Refuses targets that mean nothing, or not the same to everything that reads them. */
@ApplicationScoped
public class TargetFilter {

  void register(@Observes Filters filters) {
    FilterOrder.TARGET.register(filters, TargetFilter::check);
    FilterOrder.PATH_PARAMETERS.register(filters, TargetFilter::checkParameters);
  }

  private static void check(RoutingContext context) {
    if (RequestTarget.isWellFormed(context.request().uri())) {
      context.next();
    } else {
      ErrorResponses.end(context, ApiError.BAD_REQUEST);
    }
  }

  /**
   * Jakarta REST ignores parameters inside a path, so that what the filters let pass as one path
   * might reach the route of another. No route of ours has any.
   */
  private static void checkParameters(RoutingContext context) {
    if (context.request().path().indexOf(';') < 0) {
      context.next();
    } else {
      ErrorResponses.end(context, ApiError.NOT_FOUND);
    }
  }
}

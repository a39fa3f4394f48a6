package dev.seatfast.http;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/**
 * Refuses targets that mean nothing, or not the same to everything that reads them, and drops what
 * comes behind the last answer of a connection.
 */
@ApplicationScoped
public class TargetFilter {

  /** For each group of health checks that a client asks for, a registry is made and kept. */
  private static final String HEALTH_GROUPS = "/q/health/group";

  /** What answers here sends a body to HEAD as well, which over HTTP/2 is an error. */
  private static final String OF_QUARKUS = "/q/";

  void register(@Observes Filters filters) {
    FilterOrder.LAST_ANSWER.register(filters, TargetFilter::checkConnection);
    FilterOrder.TARGET.register(filters, TargetFilter::check);
    FilterOrder.LIBRARY_ROUTES.register(filters, TargetFilter::checkLibraryRoutes);
  }

  private static void checkConnection(RoutingContext context) {
    if (!UnreadBody.isBehindTheLastAnswer(context.request())) {
      context.next(); // otherwise the connection ends, as soon as its client has seen that answer
    }
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
  private static void checkLibraryRoutes(RoutingContext context) {
    HttpServerRequest request = context.request();
    String path = context.normalizedPath();
    if (request.path().indexOf(';') >= 0 || path.startsWith(HEALTH_GROUPS)) {
      ErrorResponses.end(context, ApiError.NOT_FOUND);
    } else if (request.method() == HttpMethod.HEAD
        && request.version() == HttpVersion.HTTP_2
        && path.startsWith(OF_QUARKUS)) {
      ErrorResponses.end(context, ApiError.METHOD_NOT_ALLOWED);
    } else {
      context.next();
    }
  }
}

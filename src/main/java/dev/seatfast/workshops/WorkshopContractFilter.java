package dev.seatfast.workshops;

import dev.seatfast.http.ApiError;
import dev.seatfast.http.ErrorResponses;
import dev.seatfast.http.FilterOrder;
import dev.seatfast.http.RequestTarget;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Optional;

/**
 * Checks a request of the fixed workshop contract: route, name and method, in this order, on the
 * path as it was sent. Jakarta REST would take liberties that the contract has not, such as
 * ignoring a slash at the end, answering HEAD and OPTIONS by itself, or decoding the path before
 * looking at it.
 */
@ApplicationScoped
class WorkshopContractFilter {

  private static final String PREFIX = "/workshops";

  void register(@Observes Filters filters) {
    FilterOrder.WORKSHOP_NAME.register(filters, WorkshopContractFilter::checkEncoding);
    FilterOrder.WORKSHOP_CONTRACT.register(filters, WorkshopContractFilter::check);
  }

  /** A path that is no URI is an error of this contract if it would be one of its paths. */
  private static void checkEncoding(RoutingContext context) {
    String path = context.request().path();
    if (!path.startsWith(PREFIX + "/") || RequestTarget.isWellFormed(path)) {
      context.next();
    } else if (isWorkshopRoute(path.split("/", -1))) {
      ErrorResponses.end(context, ApiError.INVALID_WORKSHOP_NAME);
    } else {
      ErrorResponses.end(context, ApiError.NOT_FOUND);
    }
  }

  private static void check(RoutingContext context) {
    HttpServerRequest request = context.request();
    String[] segments = request.path().split("/", -1);
    if (request.path().equals("/health") && request.method() == HttpMethod.GET) {
      context.next();
    } else if (isWorkshopRoute(segments)) {
      check(context, WorkshopName.ofRawPathSegment(segments[2]), segments[3]);
    } else if (looksLikeOurs(context.normalizedPath())) {
      ErrorResponses.end(context, ApiError.NOT_FOUND);
    } else {
      context.next();
    }
  }

  private static void check(RoutingContext context, Optional<WorkshopName> name, String action) {
    HttpMethod allowed = action.equals("status") ? HttpMethod.GET : HttpMethod.POST;
    if (name.isEmpty()) {
      ErrorResponses.end(context, ApiError.INVALID_WORKSHOP_NAME);
    } else if (context.request().method() != allowed) {
      ErrorResponses.end(context, ApiError.METHOD_NOT_ALLOWED);
    } else {
      context.next();
    }
  }

  private static boolean isWorkshopRoute(String[] segments) {
    return segments.length == 4
        && segments[1].equals("workshops")
        && !segments[2].isEmpty()
        && (segments[3].equals("status") || segments[3].equals("reservations"));
  }

  /** What only differs from a route of the contract in the spelling is none. */
  private static boolean looksLikeOurs(String normalizedPath) {
    return normalizedPath.equals(PREFIX)
        || normalizedPath.startsWith(PREFIX + "/")
        || normalizedPath.equals("/health")
        || normalizedPath.equals("/health/");
  }
}

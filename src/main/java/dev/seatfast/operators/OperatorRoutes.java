package dev.seatfast.operators;

import dev.seatfast.http.ApiError;
import dev.seatfast.http.ErrorResponses;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.regex.Pattern;

/**
 * The curtain before the routes for operators: to others, not even a wrong method or media type
 * shows that there is something. {@link OperatorFilter} is the lock.
 */
@ApplicationScoped
class OperatorRoutes {

  private static final Pattern HIDDEN =
      Pattern.compile("/internal(/.*)?|/api/workshops/[^/]*/(capacity|attempts)/*");

  private final OperatorToken token;

  OperatorRoutes(OperatorToken token) {
    this.token = token;
  }

  void register(@Observes Filters filters) {
    filters.register(this::check, ErrorResponses.DOOR_PRIORITY);
  }

  private void check(RoutingContext context) {
    if (HIDDEN.matcher(context.normalizedPath()).matches()
        && !token.isIn(context.request().getHeader(HttpHeaders.AUTHORIZATION))) {
      ErrorResponses.end(context, ApiError.NOT_FOUND);
    } else {
      context.next();
    }
  }
}

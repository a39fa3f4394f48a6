package dev.seatfast.operators;

import dev.seatfast.http.ApiError;
import dev.seatfast.http.ErrorResponses;
import dev.seatfast.http.FilterOrder;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.regex.Pattern;

/**
 * Hides the routes for operators, and the metrics unless they are public: to others, not even a
 * wrong method or media type shows that there is something. {@link OperatorFilter} guards the
 * resources themselves.
 */
@ApplicationScoped
class HiddenRoutesFilter {

  private static final Pattern OPERATOR_ROUTES =
      Pattern.compile("/internal(/.*)?|/api/workshops/[^/]*/(capacity|attempts)/*");

  private static final String METRICS = "/q/metrics";

  private final OperatorToken token;
  private final boolean metricsHidden;

  HiddenRoutesFilter(OperatorToken token, OperatorConfig config) {
    this.token = token;
    this.metricsHidden = !config.metrics().open();
  }

  void register(@Observes Filters filters) {
    FilterOrder.OPERATOR_ROUTES.register(filters, this::check);
  }

  private void check(RoutingContext context) {
    if (isHidden(context.normalizedPath())
        && !token.isIn(context.request().getHeader(HttpHeaders.AUTHORIZATION))) {
      ErrorResponses.end(context, ApiError.NOT_FOUND);
    } else {
      context.next();
    }
  }

  private boolean isHidden(String path) {
    return OPERATOR_ROUTES.matcher(path).matches() || metricsHidden && path.startsWith(METRICS);
  }
}

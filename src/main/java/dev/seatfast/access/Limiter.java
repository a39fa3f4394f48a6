package dev.seatfast.access;

import dev.seatfast.http.ApiError;
import dev.seatfast.http.ErrorResponses;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Limits how often one credential, and one address, may ask. Off unless configured. */
@Singleton
class Limiter {

  /**
   * Has the answer to a request that was decided before: asking again is what clients should do.
   */
  private static final String REPLAYED = "Idempotency-Replayed";

  private final Optional<RateLimit> perCaller;
  private final Optional<RateLimit> perAddress;

  Limiter(AccessConfig config, Ticker ticker) {
    AccessConfig.Limits limits = config.limits();
    this.perCaller = limit(limits.perCaller(), limits, ticker);
    this.perAddress = limit(limits.perAddress(), limits, ticker);
  }

  private static Optional<RateLimit> limit(
      int perSecond, AccessConfig.Limits limits, Ticker ticker) {
    return perSecond == 0
        ? Optional.empty()
        : Optional.of(new RateLimit(perSecond, limits.burstSeconds(), ticker));
  }

  /**
   * Counts a request of an address: behind a proxy the one that a trusted header names, if Quarkus
   * is configured to read it.
   *
   * @return false if the request was answered, because there were too many
   */
  boolean allowsAddress(RoutingContext context) {
    return perAddress.isEmpty()
        || context.request().remoteAddress() == null
        || allows(context, perAddress.get(), context.request().remoteAddress().hostAddress());
  }

  /** Counts a request of a caller like {@link #allowsAddress}. */
  boolean allowsCaller(RoutingContext context, Caller caller) {
    return perCaller.isEmpty() || allows(context, perCaller.get(), caller.name());
  }

  private static boolean allows(RoutingContext context, RateLimit limit, String name) {
    String key = name == null ? "unknown" : name;
    int seconds = limit.take(key);
    if (seconds > 0) {
      context.response().putHeader(HttpHeaders.RETRY_AFTER, Integer.toString(seconds));
      ErrorResponses.end(context, ApiError.TOO_MANY_REQUESTS);
      return false;
    }
    context.addHeadersEndHandler(
        sent -> {
          if (context.response().headers().contains(REPLAYED)) {
            limit.giveBack(key);
          }
        });
    return true;
  }
}

package dev.seatfast.access;

import dev.seatfast.access.AccessRules.Rule;
import dev.seatfast.database.NamespaceDeletedException;
import dev.seatfast.database.UnavailableException;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ErrorResponses;
import dev.seatfast.http.FilterOrder;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Context;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jboss.logging.Logger;

/**
 * Lets requests pass that their callers may make, as {@link AccessRules} says. To others the routes
 * for operators do not exist: not even a wrong method or media type shows that there is something.
 */
@ApplicationScoped
public class AccessFilter {

  private static final Logger LOG = Logger.getLogger(AccessFilter.class);
  private static final String CHALLENGE = "Bearer realm=\"seatfast\"";

  private final AccessConfig config;
  private final Authenticator authenticator;
  private final Limiter limiter;

  AccessFilter(AccessConfig config, Authenticator authenticator, Limiter limiter) {
    this.config = config;
    this.authenticator = authenticator;
    this.limiter = limiter;
  }

  void register(@Observes Filters filters) {
    FilterOrder.ACCESS.register(filters, this::check);
  }

  private void check(RoutingContext context) {
    String path = context.normalizedPath();
    Optional<Rule> rule = AccessRules.find(path, config.metrics().open());
    if (rule.isEmpty() && !AccessRules.isGuarded(path)) {
      context.next();
    } else if (limiter.allowsAddress(context)) {
      check(context, rule);
    }
  }

  private void check(RoutingContext context, Optional<Rule> rule) {
    boolean open = config.access().isOpen() && !rule.map(Rule::hidden).orElse(false);
    Optional<String> credential = Authenticator.credential(context.request().headers());
    if (open) {
      pass(context, Caller.ANYBODY);
    } else if (credential.isEmpty()) {
      refuse(context, rule, CHALLENGE);
    } else {
      CompletionStage<Optional<Caller>> caller = authenticator.authenticate(credential.get());
      if (caller.toCompletableFuture().isDone()) { // nearly always: it is remembered
        caller.whenComplete((found, fault) -> decide(context, rule, found, fault));
      } else {
        Context eventLoop = context.vertx().getOrCreateContext();
        context.request().pause(); // whoever reads the body goes on with it
        caller.whenComplete(
            (found, fault) -> eventLoop.runOnContext(now -> decide(context, rule, found, fault)));
      }
    }
  }

  private void decide(
      RoutingContext context, Optional<Rule> rule, Optional<Caller> caller, Throwable fault) {
    if (fault != null) {
      ErrorResponses.end(context, error(fault));
    } else if (caller.isEmpty()) {
      refuse(context, rule, CHALLENGE + ", error=\"invalid_token\"");
    } else if (limiter.allowsCaller(context, caller.get())) {
      decide(context, rule, caller.get());
    }
  }

  private void decide(RoutingContext context, Optional<Rule> rule, Caller caller) {
    String method = context.request().method().name();
    if (rule.isEmpty()) {
      if (config.access().isOpen()) {
        context.next();
      } else {
        ErrorResponses.end(context, ApiError.NOT_FOUND);
      }
    } else if (rule.get().allows(caller, method)) {
      pass(context, caller);
    } else if (rule.get().hidden()) {
      ErrorResponses.end(context, ApiError.NOT_FOUND);
    } else {
      context
          .response()
          .putHeader(
              "WWW-Authenticate",
              CHALLENGE
                  + ", error=\"insufficient_scope\", scope=\"%s\""
                      .formatted(rule.get().scope(method).map(Scope::code).orElse("")));
      ErrorResponses.end(context, ApiError.FORBIDDEN);
    }
  }

  private static void pass(RoutingContext context, Caller caller) {
    caller.attachTo(context);
    context.next();
  }

  /** A hidden route, and a path that has none, answer the same with and without a credential. */
  private static void refuse(RoutingContext context, Optional<Rule> rule, String challenge) {
    if (rule.map(Rule::hidden).orElse(false)) {
      ErrorResponses.end(context, ApiError.NOT_FOUND);
    } else {
      context.response().putHeader("WWW-Authenticate", challenge);
      ErrorResponses.end(context, ApiError.UNAUTHORIZED);
    }
  }

  private static ApiError error(Throwable fault) {
    Throwable cause = fault instanceof CompletionException ? fault.getCause() : fault;
    if (cause instanceof UnavailableException unavailable) {
      return unavailable.reason() == UnavailableException.Reason.OVERLOADED
          ? ApiError.OVERLOADED
          : ApiError.UNAVAILABLE;
    }
    if (cause instanceof NamespaceDeletedException) {
      return ApiError.CLEANUP;
    }
    LOG.error("A credential could not be looked at for a reason of ours", cause);
    return ApiError.INTERNAL_ERROR;
  }
}

package dev.seatfast.operators;

import dev.seatfast.access.Caller;
import dev.seatfast.access.Scope;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.annotation.Priority;
import jakarta.inject.Provider;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.util.Set;

/**
 * Guards each of the resources for operators, whatever path led there, in case that {@link
 * dev.seatfast.access.AccessFilter} took the path for another one, before a body is read.
 */
@jakarta.ws.rs.ext.Provider
@OperatorOnly
@NonBlocking
@Priority(Priorities.AUTHENTICATION)
public class OperatorFilter implements ContainerRequestFilter {

  private static final Set<Scope> OPERATORS = Set.of(Scope.OPERATE, Scope.EVENTS, Scope.TOKENS);

  /** Looked up late: a filter is made while the native executable is built. */
  private final Provider<CurrentVertxRequest> current;

  OperatorFilter(Provider<CurrentVertxRequest> current) {
    this.current = current;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    Caller caller = Caller.of(current.get().getCurrent());
    if (OPERATORS.stream().noneMatch(caller::may)) {
      throw new ApiException(ApiError.NOT_FOUND);
    }
  }
}

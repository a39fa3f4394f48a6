package dev.seatfast.operators;

import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.annotation.Priority;
import jakarta.inject.Provider;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.HttpHeaders;

/** Guards each of the resources for operators, whatever path led there, before a body is read. */
@jakarta.ws.rs.ext.Provider
@OperatorOnly
@NonBlocking
@Priority(Priorities.AUTHENTICATION)
public class OperatorFilter implements ContainerRequestFilter {

  /** Looked up late: a filter is made while the native executable is built. */
  private final Provider<OperatorToken> token;

  OperatorFilter(Provider<OperatorToken> token) {
    this.token = token;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (!token.get().isIn(request.getHeaderString(HttpHeaders.AUTHORIZATION))) {
      throw new ApiException(ApiError.NOT_FOUND);
    }
  }
}

package dev.seatfast.operators;

import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import jakarta.inject.Provider;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.HttpHeaders;

/** The lock of the routes for operators, on each of them, whatever path led there. */
@jakarta.ws.rs.ext.Provider
@OperatorOnly
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

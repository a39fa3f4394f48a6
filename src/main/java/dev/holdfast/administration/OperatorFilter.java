package dev.holdfast.administration;

import dev.holdfast.platform.ApiError;
import dev.holdfast.platform.ApiException;
import jakarta.inject.Provider;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Shows routes for operators to operators; to others they are not there. */
@jakarta.ws.rs.ext.Provider
@OperatorOnly
public class OperatorFilter implements ContainerRequestFilter {

  private static final String SCHEME = "Bearer ";

  /** Looked up late: a filter is made while the native executable is built. */
  private final Provider<AdministrationConfig> config;

  OperatorFilter(Provider<AdministrationConfig> config) {
    this.config = config;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    String authorization = request.getHeaderString(HttpHeaders.AUTHORIZATION);
    if (authorization == null
        || !authorization.startsWith(SCHEME)
        || !isToken(authorization.substring(SCHEME.length()))) {
      throw new ApiException(ApiError.NOT_FOUND);
    }
  }

  /** Takes as long for a token that is nearly right as for any other. */
  private boolean isToken(String candidate) {
    return config
        .get()
        .internalToken()
        .map(token -> token.getBytes(StandardCharsets.UTF_8))
        .filter(token -> MessageDigest.isEqual(token, candidate.getBytes(StandardCharsets.UTF_8)))
        .isPresent();
  }
}

package dev.holdfast.administration;

import dev.holdfast.platform.ApiError;
import dev.holdfast.platform.ApiException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.Provider;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Shows routes for operators to operators; to others they are not there. */
@Provider
@OperatorOnly
public class OperatorFilter implements ContainerRequestFilter {

  private static final String SCHEME = "Bearer ";

  private final AdministrationConfig config;

  OperatorFilter(AdministrationConfig config) {
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
    return config.internalToken().isPresent()
        && MessageDigest.isEqual(
            candidate.getBytes(StandardCharsets.UTF_8),
            config.internalToken().get().getBytes(StandardCharsets.UTF_8));
  }
}

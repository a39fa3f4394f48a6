package dev.seatfast.workshops;

import dev.seatfast.access.Caller;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.Texts;
import io.vertx.ext.web.RoutingContext;

/** Checks the tenant in a path. */
public final class Tenants {

  private Tenants() {}

  /**
   * Checks that a caller reaches a tenant, whether or not there is anything of the tenant's.
   *
   * @throws ApiException {@link ApiError#INVALID_TENANT_ID} or {@link ApiError#FORBIDDEN}
   */
  static void require(String tenant, RoutingContext context) {
    Texts.check(tenant, ApiError.INVALID_TENANT_ID);
    Caller.of(context).requireTenant(tenant);
  }

  /**
   * Checks like {@link #require} for an operators' route, which does not exist for others.
   *
   * @throws ApiException {@link ApiError#NOT_FOUND} in both cases
   */
  public static void requireOperator(String tenant, RoutingContext context) {
    try {
      require(tenant, context);
    } catch (ApiException e) {
      throw new ApiException(ApiError.NOT_FOUND);
    }
  }
}

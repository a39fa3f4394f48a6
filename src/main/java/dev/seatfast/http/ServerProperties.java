package dev.seatfast.http;

import java.util.Map;

/**
 * System properties for the libraries that serve HTTP. They have to be set before those are loaded,
 * and for a native executable also when it is built.
 */
public final class ServerProperties {

  /**
   * By name:
   *
   * <ul>
   *   <li>Netty looks for {@link dev.seatfast.http.wire.GuardInstaller}.
   *   <li>Quarkus does not refuse targets that are no URI with an empty answer, before any filter.
   *       {@link TargetFilter} refuses them instead.
   * </ul>
   */
  public static final Map<String, String> ALL =
      Map.of("io.netty.bootstrap.extensions", "serviceload", "vertx.disableURIValidation", "true");

  private ServerProperties() {}
}

package dev.seatfast.description;

import static dev.seatfast.http.ApiError.JSON;

import dev.seatfast.access.InternalToken;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestQuery;

/**
 * Serves the description, in YAML or in JSON. Only operators see the routes for operators. It is
 * prepared when a client asks for it, so that a start does not pay for it.
 */
@Path("/q/openapi")
@Blocking
public class DescriptionResource {

  private static final String YAML = "application/yaml";

  private final InternalToken token;

  /** At most one for each reader and media type. */
  private final Map<Form, String> prepared = new ConcurrentHashMap<>();

  DescriptionResource(InternalToken token) {
    this.token = token;
  }

  private record Form(boolean forOperators, String mediaType) {}

  /**
   * @param format {@code json}, in any case of its letters; else null
   */
  @GET
  @Operation(hidden = true)
  public Response read(
      @RestHeader(HttpHeaders.AUTHORIZATION) String authorization,
      @RestHeader(HttpHeaders.ACCEPT) String accept,
      @RestQuery String format) {
    boolean json = "json".equalsIgnoreCase(format) || (accept != null && accept.contains(JSON));
    Form form = new Form(token.isIn(authorization), json ? JSON : YAML);
    return Response.ok(prepared.computeIfAbsent(form, DescriptionResource::prepare))
        .type(form.mediaType() + ";charset=UTF-8")
        .build();
  }

  private static String prepare(Form form) {
    Description all = Description.kept();
    Description description = form.forOperators() ? all : all.withoutOperators();
    return form.mediaType().equals(JSON) ? description.json() : description.yaml();
  }
}

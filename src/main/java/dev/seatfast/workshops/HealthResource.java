package dev.seatfast.workshops;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** Says that the service answers. Whether it can decide is what {@code /q/health/ready} tells. */
@Path("/health")
@NonBlocking
public class HealthResource {

  /** The one thing there is to say. */
  @RegisterForReflection
  public record Health(String status) {}

  @GET
  @Operation(summary = "Say that the service answers")
  public Response health() {
    return Response.ok(new Health("ok"), MediaType.APPLICATION_JSON_TYPE).build();
  }
}

package dev.seatfast.operators;

import dev.seatfast.engine.Events;
import dev.seatfast.http.Pages;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jboss.resteasy.reactive.RestQuery;

/** For a platform's scheduler, and for the systems that follow what happens. */
@Path("/internal")
@OperatorOnly
@Blocking
public class HousekeepingResource {

  private final Sweeping sweeping;
  private final Events events;

  HousekeepingResource(Sweeping sweeping, Events events) {
    this.sweeping = sweeping;
    this.events = events;
  }

  /** What a sweep did; if it is not done, call again. */
  @RegisterForReflection
  public record Swept(long seats, boolean done) {}

  /** Some events, and what to pass as {@code after} for those that follow. */
  @RegisterForReflection(targets = Events.Event.class)
  public record EventPage(List<Events.Event> events, long after) {}

  @POST
  @Path("/sweep")
  @Operation(summary = "Tidy up expired holds")
  @APIResponse(responseCode = "200", description = "What it did")
  public Swept sweep() {
    Sweeping.Result result = sweeping.run();
    return new Swept(result.seats(), result.done());
  }

  @GET
  @Path("/events")
  @Operation(
      summary = "Follow the events of all pools",
      description =
          "In one order that never changes; go on with after. Each pool's are in its order.")
  @APIResponse(responseCode = "200", description = "A page, empty if nothing new happened")
  public EventPage events(
      @RestQuery @DefaultValue("0") String after,
      @RestQuery @DefaultValue(Pages.SIZE_DEFAULT) String limit) {
    long from = Pages.number(after);
    List<Events.Event> page = events.page(from, Pages.size(limit));
    return new EventPage(page, page.isEmpty() ? from : page.get(page.size() - 1).position());
  }
}

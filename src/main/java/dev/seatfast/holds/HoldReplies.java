package dev.seatfast.holds;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.seatfast.engine.HoldAnswer;
import dev.seatfast.engine.Settlement;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/** How holds are answered: 200 with {@code ok}, or 409 with the reason why not. */
public final class HoldReplies {

  /** Why a hold is refused. It never tells who has the seats. */
  public static final String TAKEN = "ALREADY_HELD_OR_BOOKED";

  private HoldReplies() {}

  /**
   * Done.
   *
   * @param expiresAt in milliseconds since 1970; left out where there is none to tell
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Ok(boolean ok, UUID reservationId, Long expiresAt) {}

  /** Not done. */
  @RegisterForReflection
  public record Refusal(boolean ok, String reason) {}

  /** The answer to a hold. */
  public static Response of(HoldAnswer answer) {
    return answer instanceof HoldAnswer.Held held
        ? done(held.reservationId(), held.expiresAt())
        : refused(TAKEN);
  }

  /**
   * Changes the hold that a client names; a text that no reservation has as its id is an unknown
   * one.
   *
   * @param change of the reservation with this id
   * @param answer to it, once it is decided
   */
  public static CompletionStage<Response> settle(
      String reservationId,
      Function<UUID, CompletionStage<Settlement>> change,
      BiFunction<UUID, Settlement, Response> answer) {
    return ReservationIds.parse(reservationId)
        .map(id -> change.apply(id).thenApply(settlement -> answer.apply(id, settlement)))
        .orElseGet(
            () -> CompletableFuture.completedFuture(refused(Settlement.Outcome.NOT_FOUND.name())));
  }

  /** The answer to a change of a hold, with its end if that can have changed. */
  public static Response of(UUID reservationId, Settlement.Action action, Settlement settlement) {
    return settlement.outcome() == Settlement.Outcome.DONE
        ? done(reservationId, action == Settlement.Action.EXTEND ? settlement.expiresAt() : null)
        : refused(settlement.outcome().name());
  }

  /**
   * @param expiresAt null if there is none to tell
   */
  private static Response done(UUID reservationId, Instant expiresAt) {
    return Response.ok(
            new Ok(true, reservationId, expiresAt == null ? null : expiresAt.toEpochMilli()),
            MediaType.APPLICATION_JSON_TYPE)
        .build();
  }

  /** Not done, and why. */
  public static Response refused(String reason) {
    return Response.status(Response.Status.CONFLICT)
        .type(MediaType.APPLICATION_JSON_TYPE)
        .entity(new Refusal(false, reason))
        .build();
  }
}

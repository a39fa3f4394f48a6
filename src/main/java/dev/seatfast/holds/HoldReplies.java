package dev.seatfast.holds;

import dev.seatfast.engine.Hold;
import dev.seatfast.engine.HoldAnswer;
import dev.seatfast.engine.Settlement;
import dev.seatfast.engine.Shut;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.JsonAnswers;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The answers about holds, on slots, on groups of slots and on workshops: 200 with {@code ok}, or
 * 409 with the reason why not. A text that cannot be the id of a reservation is answered like the
 * id of one that does not exist.
 */
public final class HoldReplies {

  private HoldReplies() {}

  /** Answers a request to hold slots. */
  public static Response of(HoldAnswer answer) {
    return answer instanceof HoldAnswer.Held held ? JsonAnswers.ok(Held.of(held)) : taken();
  }

  /** Answers a request for what somebody else holds or has. */
  public static Response taken() {
    return refused(Refusal.Reason.ALREADY_HELD_OR_BOOKED);
  }

  /**
   * Answers a request for seats that could not be taken at the time, whether or not there are any.
   */
  public static Response shut(Shut shut) {
    return JsonAnswers.of(Response.Status.CONFLICT, Refusal.because(shut)).build();
  }

  /**
   * Settles a hold of slots and answers how that went.
   *
   * @param reservationId as the client sent it
   * @param settle settles the hold with an id
   */
  public static CompletionStage<Response> settle(
      String reservationId,
      Settlement.Action action,
      Function<UUID, CompletionStage<Settlement>> settle) {
    return settle(reservationId, settle, (id, settlement) -> Settled.of(id, action, settlement));
  }

  /**
   * Settles a hold and answers how that went.
   *
   * @param reservationId as the client sent it
   * @param settle settles the hold with an id
   * @param done the body of the answer when it is settled
   */
  public static CompletionStage<Response> settle(
      String reservationId,
      Function<UUID, CompletionStage<Settlement>> settle,
      BiFunction<UUID, Settlement, Object> done) {
    return ReservationIds.parse(reservationId)
        .map(
            id ->
                settle
                    .apply(id)
                    .thenApply(
                        settlement ->
                            settlement.outcome() == Settlement.Outcome.DONE
                                ? JsonAnswers.ok(done.apply(id, settlement))
                                : refused(Refusal.Reason.of(settlement.outcome()))))
        .orElseGet(() -> CompletableFuture.completedFuture(refused(Refusal.Reason.NOT_FOUND)));
  }

  /**
   * Reads a hold for its owner. To anybody else it does not exist.
   *
   * @param reservationId as the client sent it
   * @param find reads the hold with an id
   * @return fails with {@link ApiError#NOT_FOUND}
   */
  public static CompletionStage<Response> view(
      String reservationId, String owner, Function<UUID, CompletionStage<Optional<Hold>>> find) {
    return ReservationIds.parse(reservationId)
        .map(find)
        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()))
        .thenApply(
            found ->
                found
                    .filter(hold -> hold.owner().equals(owner))
                    .map(hold -> JsonAnswers.ok(HoldView.of(hold)))
                    .orElseThrow(() -> new ApiException(ApiError.NOT_FOUND)));
  }

  private static Response refused(Refusal.Reason reason) {
    return JsonAnswers.of(Response.Status.CONFLICT, Refusal.because(reason)).build();
  }
}

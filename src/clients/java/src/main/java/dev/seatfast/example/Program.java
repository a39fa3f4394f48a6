package dev.seatfast.example;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.seatfast.client.ApiClient;
import dev.seatfast.client.ApiException;
import dev.seatfast.client.ApiResponse;
import dev.seatfast.client.api.OperatorsApi;
import dev.seatfast.client.api.SlotsApi;
import dev.seatfast.client.api.WorkshopHoldsApi;
import dev.seatfast.client.api.WorkshopsApi;
import dev.seatfast.client.model.CapacityRequest;
import dev.seatfast.client.model.ErrorCode;
import dev.seatfast.client.model.Held;
import dev.seatfast.client.model.HoldView;
import dev.seatfast.client.model.Problem;
import dev.seatfast.client.model.Reason;
import dev.seatfast.client.model.Refusal;
import dev.seatfast.client.model.Reservation;
import dev.seatfast.client.model.ReservationRequest;
import dev.seatfast.client.model.SeatsHeld;
import dev.seatfast.client.model.SlotConfirmRequest;
import dev.seatfast.client.model.SlotHoldRequest;
import dev.seatfast.client.model.WorkshopHoldRequest;
import dev.seatfast.client.model.WorkshopSettleRequest;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Uses every kind of answer of a running service. */
public final class Program {

  private static final String USER = "ann";

  private final ApiClient client;
  private final String operatorsToken;
  private final String workshop = "w" + UUID.randomUUID().toString().substring(0, 18);

  private Program(String url, String operatorsToken) {
    this.client = new ApiClient();
    this.client.updateBaseUri(url);
    this.operatorsToken = operatorsToken;
  }

  /**
   * @param arguments the address of the service, and its operators' token
   */
  public static void main(String... arguments) throws Exception {
    Program program = new Program(arguments[0], arguments[1]);
    program.reservesOnceAndIsRejectedOnce();
    program.isToldWhatIsWrong();
    program.holdsAndConfirmsASeat();
    program.holdsAndConfirmsASlot();
    program.operates();
    System.out.println("The Java client reserved, held, confirmed and failed as described.");
  }

  private ReservationRequest request(String requestId, int seats) {
    return new ReservationRequest().requestId(requestId).seats(seats);
  }

  private void reservesOnceAndIsRejectedOnce() throws Exception {
    WorkshopsApi api = new WorkshopsApi(client);
    Reservation accepted = api.reserve(workshop, request("first", 3));
    expect(Reservation.StatusEnum.ACCEPTED, accepted.getStatus());
    expect(3, accepted.getReserved());

    ApiResponse<Reservation> replay = api.reserveWithHttpInfo(workshop, request("first", 3));
    expect(true, replay.getData().getReplayed());
    expect(List.of("true"), replay.getHeaders().get("idempotency-replayed"));

    ApiException rejected = failure(() -> api.reserve(workshop, request("second", 2)));
    expect(409, rejected.getCode());
    expect(Reservation.StatusEnum.REJECTED, body(rejected, Reservation.class).getStatus());
  }

  private void isToldWhatIsWrong() throws Exception {
    WorkshopsApi api = new WorkshopsApi(client);
    ApiException invalid = failure(() -> api.reserve(workshop, request("first", 9)));
    expect(400, invalid.getCode());
    expect(ErrorCode.INVALID_RESERVATION, problem(invalid));

    ApiException mismatch = failure(() -> api.reserve(workshop, request("first", 1)));
    expect(422, mismatch.getCode());
    expect(ErrorCode.IDEMPOTENCY_MISMATCH, problem(mismatch));
  }

  private void holdsAndConfirmsASeat() throws Exception {
    WorkshopHoldsApi api = new WorkshopHoldsApi(client);
    SeatsHeld held =
        api.holdSeats(workshop, new WorkshopHoldRequest().requestId("held").seats(1).userId(USER));
    expect(1, held.getSeats());
    UUID id = held.getReservationId();

    WorkshopSettleRequest stranger = new WorkshopSettleRequest().userId("bob");
    ApiException refused = failure(() -> api.confirmSeatHold(id, workshop, stranger));
    expect(409, refused.getCode());
    expect(Reason.NOT_OWNER, body(refused, Refusal.class).getReason());

    api.confirmSeatHold(id, workshop, new WorkshopSettleRequest().userId(USER));
    expect(HoldView.StateEnum.CONFIRMED, api.readSeatHold(id, workshop, USER).getState());
  }

  private void holdsAndConfirmsASlot() throws Exception {
    SlotsApi api = new SlotsApi(client);
    OffsetDateTime start = OffsetDateTime.parse("2030-01-01T10:00:00+09:00");
    Held held =
        api.holdSlot(
            new SlotHoldRequest()
                .tenantId(workshop)
                .resourceId("room")
                .slotStartIso(start)
                .userId(USER)
                .idempotencyKey("key"));
    SlotConfirmRequest confirmation =
        new SlotConfirmRequest()
            .tenantId(workshop)
            .resourceId("room")
            .slotStartIso(start)
            .reservationId(held.getReservationId().toString())
            .userId(USER);
    expect(held.getReservationId(), api.confirmSlot(confirmation).getReservationId());
  }

  private void operates() throws Exception {
    OperatorsApi api = new OperatorsApi(client);
    CapacityRequest two = new CapacityRequest().capacity(2);
    expect(ErrorCode.NOT_FOUND, problem(failure(() -> api.setCapacity(workshop, two))));
    Map<String, String> operator = Map.of("Authorization", "Bearer " + operatorsToken);
    ApiException tooFew = failure(() -> api.setCapacity(workshop, two, operator));
    expect(ErrorCode.CAPACITY_BELOW_RESERVED, problem(tooFew));
  }

  @FunctionalInterface
  private interface Call {
    Object run() throws ApiException;
  }

  private static ApiException failure(Call call) {
    try {
      throw new IllegalStateException("Did not fail, but answered " + call.run());
    } catch (ApiException e) {
      return e;
    }
  }

  /** The code of an error. The generated client asks for both forms, and gets a problem. */
  private ErrorCode problem(ApiException failure) throws JsonProcessingException {
    return body(failure, Problem.class).getCode();
  }

  private <T> T body(ApiException failure, Class<T> type) throws JsonProcessingException {
    return client.getObjectMapper().readValue(failure.getResponseBody(), type);
  }

  private static void expect(Object wanted, Object came) {
    if (!Objects.equals(wanted, came)) {
      throw new IllegalStateException("Wanted " + wanted + ", but got " + came);
    }
  }
}

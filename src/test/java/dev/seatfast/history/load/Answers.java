package dev.seatfast.history.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.seatfast.engine.Settlement.Action;
import dev.seatfast.history.recording.Answer;
import dev.seatfast.history.recording.Request;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.UUID;

/** Understands HTTP responses. */
final class Answers {

  private static final ObjectMapper JSON = new ObjectMapper();

  private Answers() {}

  /** A response that no client can make sense of. */
  static final class UnexpectedException extends Exception {
    UnexpectedException(Request request, HttpResponse<String> response) {
      super("%s -> %d %s".formatted(request, response.statusCode(), response.body()));
    }
  }

  static Outcome read(Request request, HttpResponse<String> response) throws UnexpectedException {
    try {
      JsonNode json = JSON.readTree(response.body());
      if (response.statusCode() == 503) {
        return switch (json.path("error").asText()) {
          case "overloaded" -> new Outcome.NotBegun();
          case "unavailable" -> new Outcome.Told(new Answer.Unknown("unavailable"));
          default -> throw new UnexpectedException(request, response);
        };
      }
      Answer answer = answer(request, response, json);
      if (answer == null) {
        throw new UnexpectedException(request, response);
      }
      return new Outcome.Told(answer);
    } catch (IOException | IllegalArgumentException e) {
      throw new UnexpectedException(request, response);
    }
  }

  /** Null if it makes no sense. */
  private static Answer answer(Request request, HttpResponse<String> response, JsonNode json) {
    boolean ok = response.statusCode() == 200;
    boolean conflict = response.statusCode() == 409;
    if (request instanceof Request.Reserve && json.path("error").isTextual()) {
      return conflict ? shut(json.path("error").textValue()) : null;
    } else if (request instanceof Request.Reserve reserve) {
      return decided(reserve, response, json);
    } else if (request instanceof Request.SetCapacity set) {
      return ok && json.path("capacity").asInt(-1) == set.capacity()
          ? new Answer.CapacitySet()
          : conflict ? new Answer.CapacityRefused() : null;
    } else if (request instanceof Request.Hold hold) {
      return ok && json.path("ok").booleanValue()
          ? held(hold, response, json)
          : conflict ? notHeld(json.path("reason").asText()) : null;
    } else if (request instanceof Request.SetPaused set) {
      return ok && json.path("paused").booleanValue() == set.paused()
          ? new Answer.OpeningSet()
          : null;
    } else if (request instanceof Request.Settle settle) {
      return ok
          ? settled(settle, json)
          : conflict ? new Answer.NotSettled(json.path("reason").asText()) : null;
    } else if (request instanceof Request.ReadHold) {
      return ok
          ? new Answer.HoldSeen(
              json.path("state").asText(),
              json.path("seats").intValue(),
              json.path("expiresAt").longValue())
          : response.statusCode() == 404 ? new Answer.HoldMissing() : null;
    } else if (request instanceof Request.ReadSlot) {
      return ok
          ? new Answer.SlotSeen(json.path("state").asText(), json.path("heldUntil").longValue())
          : null;
    }
    return ok ? status(json) : null;
  }

  /** Null for an error that is of another kind. */
  private static Answer shut(String code) {
    return code.equals("paused") ? new Answer.Shut("PAUSED") : null;
  }

  private static Answer notHeld(String reason) {
    return reason.equals("PAUSED") ? new Answer.Shut(reason) : new Answer.Refused();
  }

  private static Answer decided(
      Request.Reserve request, HttpResponse<String> response, JsonNode json) {
    boolean accepted = response.statusCode() == 201;
    boolean replayed = json.path("replayed").booleanValue();
    boolean makesSense =
        (accepted || response.statusCode() == 409)
            && json.path("status").asText().equals(accepted ? "accepted" : "rejected")
            && json.path("requestId").asText().equals(request.requestId())
            && replayed == response.headers().firstValue("Idempotency-Replayed").isPresent();
    return makesSense
        ? new Answer.Decided(
            accepted,
            json.path("seats").intValue(),
            json.path("capacity").intValue(),
            json.path("reserved").intValue(),
            replayed,
            response.headers().firstValue("Idempotency-Mismatch").isPresent())
        : null;
  }

  private static Answer held(Request.Hold request, HttpResponse<String> response, JsonNode json) {
    long end = json.path("expiresAt").longValue();
    return request instanceof Request.HoldSlot
        ? new Answer.SlotHeld(uuid(json), end)
        : new Answer.SeatsHeld(
            uuid(json),
            end,
            json.path("seats").intValue(),
            response.headers().firstValue("Idempotency-Replayed").isPresent(),
            response.headers().firstValue("Idempotency-Mismatch").isPresent());
  }

  private static Answer settled(Request.Settle request, JsonNode json) {
    if (!request.reservation().equals(uuid(json))) {
      return null;
    }
    return request.action() == Action.EXTEND
        ? new Answer.Extended(json.path("expiresAt").longValue())
        : new Answer.Settled();
  }

  private static Answer status(JsonNode json) {
    return new Answer.Status(
        json.path("capacity").intValue(),
        json.path("reserved").intValue(),
        json.path("acceptedRequests").longValue(),
        json.path("rejectedRequests").longValue(),
        json.path("acceptedSeats").longValue());
  }

  private static UUID uuid(JsonNode json) {
    return UUID.fromString(json.path("reservationId").asText());
  }
}

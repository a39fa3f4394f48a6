package dev.seatfast.history.load;

import dev.seatfast.engine.PoolKey;
import dev.seatfast.history.recording.Request;
import java.time.Instant;
import java.util.Locale;

/** How the requests for one pool look in HTTP. */
sealed interface Target {

  /**
   * One HTTP request.
   *
   * @param body null for none
   */
  record Message(String method, String path, String body) {}

  PoolKey key();

  int defaultCapacity();

  Message message(Request request);

  /** A workshop. */
  record Workshop(String name, int defaultCapacity) implements Target {

    @Override
    public PoolKey key() {
      return PoolKey.ofWorkshop(name);
    }

    @Override
    public Message message(Request request) {
      String beyond = "/api/workshops/" + name;
      if (request instanceof Request.Reserve reserve) {
        return post(
            "/workshops/" + name + "/reservations",
            "{\"requestId\":\"%s\",\"seats\":%d}".formatted(reserve.requestId(), reserve.seats()));
      } else if (request instanceof Request.Hold hold) {
        return post(
            beyond + "/holds",
            "{\"requestId\":\"%s\",\"seats\":%d,\"userId\":\"%s\"}"
                .formatted(hold.key(), hold.seats(), hold.user()));
      } else if (request instanceof Request.Settle settle) {
        return post(
            beyond + "/holds/" + settle.reservation() + "/" + action(settle),
            "{\"userId\":\"%s\"}".formatted(settle.user()));
      } else if (request instanceof Request.SetCapacity set) {
        return new Message(
            "PUT", beyond + "/capacity", "{\"capacity\":%d}".formatted(set.capacity()));
      } else if (request instanceof Request.SetPaused set) {
        return new Message("PUT", beyond + "/opening", "{\"paused\":%b}".formatted(set.paused()));
      } else if (request instanceof Request.ReadHold read) {
        return get(beyond + "/holds/" + read.reservation() + "?userId=" + read.user());
      }
      return get("/workshops/" + name + "/status");
    }
  }

  /** A slot. Its ids need no escaping. */
  record Slot(String tenant, String resource, Instant start) implements Target {

    @Override
    public PoolKey key() {
      return PoolKey.ofSlot(tenant, resource, start);
    }

    @Override
    public int defaultCapacity() {
      return 1;
    }

    @Override
    public Message message(Request request) {
      if (request instanceof Request.Hold hold) {
        return post(
            "/api/reservations/hold",
            body(hold.user(), ",\"idempotencyKey\":\"%s\"".formatted(hold.key())));
      } else if (request instanceof Request.Settle settle && settle.contract()) {
        return post(
            "/api/reservations/confirm",
            body(settle.user(), ",\"reservationId\":\"%s\"".formatted(settle.reservation())));
      } else if (request instanceof Request.Settle settle) {
        return post(
            "/api/slots/reservations/" + settle.reservation() + "/" + action(settle),
            body(settle.user(), ""));
      }
      String query =
          "?tenantId=%s&resourceId=%s&slotStartIso=%s".formatted(tenant, resource, start);
      return request instanceof Request.ReadHold read
          ? get("/api/slots/reservations/" + read.reservation() + query + "&userId=" + read.user())
          : get("/api/slots/slot" + query);
    }

    private String body(String user, String more) {
      return "{\"tenantId\":\"%s\",\"resourceId\":\"%s\",\"slotStartIso\":\"%s\",\"userId\":\"%s\"%s}"
          .formatted(tenant, resource, start, user, more);
    }
  }

  private static String action(Request.Settle settle) {
    return settle.action().name().toLowerCase(Locale.ROOT);
  }

  private static Message post(String path, String body) {
    return new Message("POST", path, body);
  }

  private static Message get(String path) {
    return new Message("GET", path, null);
  }
}

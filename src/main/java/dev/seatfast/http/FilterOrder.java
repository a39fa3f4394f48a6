package dev.seatfast.http;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/**
 * Every filter that sees a request before its route does, in the order in which they see it. Each
 * either answers the request or passes it on to the next.
 *
 * <p>After the last one comes Jakarta REST, with {@link BodyFilter}.
 */
public enum FilterOrder {
  /** Requests behind one whose answer ends the connection. */
  LAST_ANSWER(Position.BEFORE_CORS),
  /** Names of workshops that are percent-encoded wrongly: their error has a code of its own. */
  WORKSHOP_NAME(Position.BEFORE_CORS),
  /** Targets that are no URI, which nothing after this has to expect. */
  TARGET(Position.BEFORE_CORS),
  /**
   * From here on an answer may be for a page of another origin: Quarkus adds its headers before.
   */
  TOMBSTONE(Position.AFTER_CORS),
  /** Who asks, and whether that caller may: nothing after this tells others what there is. */
  ACCESS(Position.AFTER_CORS),
  WORKSHOP_CONTRACT(Position.AFTER_CORS),
  SLOT_CONTRACT(Position.AFTER_CORS),
  /** Routes that a library would serve in another form. */
  LIBRARY_ROUTES(Position.AFTER_CORS);

  private final Position position;

  FilterOrder(Position position) {
    this.position = position;
  }

  /** Adds a filter at this place. */
  public void register(Filters filters, Handler<RoutingContext> filter) {
    filters.register(filter, position.priority - ordinal());
  }

  /** Where the filters lie beside the one that Quarkus has for CORS, whose priority is 300. */
  private enum Position {
    BEFORE_CORS(400),
    AFTER_CORS(290);

    private final int priority;

    Position(int priority) {
      this.priority = priority;
    }
  }
}

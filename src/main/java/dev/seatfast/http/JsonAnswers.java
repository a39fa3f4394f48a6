package dev.seatfast.http;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/** Answers in JSON, whatever media types a client says it accepts. */
public final class JsonAnswers {

  private JsonAnswers() {}

  /** Answers 200 with this body. */
  public static Response ok(Object body) {
    return of(Response.Status.OK, body).build();
  }

  /** Begins an answer with this body, for headers to follow. */
  public static Response.ResponseBuilder of(Response.Status status, Object body) {
    return Response.status(status).type(MediaType.APPLICATION_JSON_TYPE).entity(body);
  }
}

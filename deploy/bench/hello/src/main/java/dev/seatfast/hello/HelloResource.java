package dev.seatfast.hello;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Answers the same to everybody. */
@Path("/hello")
public class HelloResource {

  @GET
  public String hello() {
    return "hello";
  }
}

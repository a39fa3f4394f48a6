package dev.seatfast.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads request bodies as RFC 8259 defines JSON, whatever their content type says. */
@ApplicationScoped
public class JsonBodies {

  /** The largest body that is read, in bytes. */
  public static final int BYTES_MAX = Limits.BODY_KIB_MAX * 1024;

  /** The longest that a body may take to arrive, in milliseconds. */
  private static final int TIME_MS_MAX = 10_000;

  private static final ObjectReader READER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build()
          .readerFor(JsonNode.class);

  private static final String RECEIVED = "seatfast.body";

  private static final int AFTER_THE_DOORS = ErrorResponses.DOOR_PRIORITY - 1;

  void register(@Observes Filters filters) {
    filters.register(JsonBodies::receive, AFTER_THE_DOORS);
  }

  /**
   * Reads a request's whole body without blocking and goes on with the next handler; a body that is
   * too large is refused as soon as that shows.
   */
  private static void receive(RoutingContext context) {
    HttpServerRequest request = context.request();
    if (request.method() != HttpMethod.POST && request.method() != HttpMethod.PUT) {
      context.next();
      return;
    }
    if (announcedBytes(request) > BYTES_MAX) {
      ErrorResponses.end(context, ApiError.BODY_TOO_LARGE);
      return;
    }
    long timer =
        context
            .vertx()
            .setTimer(
                TIME_MS_MAX, expired -> ErrorResponses.end(context, ApiError.REQUEST_TIMEOUT));
    context.addEndHandler(ended -> context.vertx().cancelTimer(timer));
    Buffer body = Buffer.buffer();
    request.handler(
        chunk -> {
          body.appendBuffer(chunk);
          if (body.length() > BYTES_MAX) {
            request.handler(null).endHandler(null);
            ErrorResponses.end(context, ApiError.BODY_TOO_LARGE);
          }
        });
    request.endHandler(
        end -> {
          context.vertx().cancelTimer(timer);
          context.put(RECEIVED, body);
          context.next();
        });
    request.resume();
  }

  private static long announcedBytes(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return length == null ? 0 : Long.parseLong(length); // Netty refused anything but a number
  }

  /**
   * The body that {@link #receive} has read.
   *
   * @throws ApiException {@link ApiError#INVALID_JSON}
   */
  public static JsonNode of(RoutingContext context) {
    Buffer body = context.get(RECEIVED);
    return parse(body.getBytes());
  }

  private static JsonNode parse(byte[] bytes) {
    try {
      // Decoded here, because Jackson would also take UTF-16 and UTF-32.
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      JsonNode json = READER.readTree(text);
      if (json.isMissingNode()) {
        throw new ApiException(ApiError.INVALID_JSON);
      }
      return json;
    } catch (CharacterCodingException | JsonProcessingException | NumberFormatException e) {
      throw new ApiException(ApiError.INVALID_JSON);
    }
  }
}

package dev.seatfast.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Parses request bodies as RFC 8259 defines JSON, whatever their content type says. */
public final class JsonBodies {

  private static final ObjectReader READER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build()
          .readerFor(JsonNode.class);

  private static final String RECEIVED = "seatfast.body";

  private JsonBodies() {}

  /** Keeps the body that {@link BodyFilter} has read. */
  static void put(RoutingContext context, Buffer body) {
    context.put(RECEIVED, body);
  }

  /**
   * The body of a request.
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

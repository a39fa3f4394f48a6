package dev.seatfast.http.wire;

import dev.seatfast.http.ApiError;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.AsciiString;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * What RFC 9112 asks of a request before anything else may look at it, as far as Netty's codec
 * leaves it open. Where two programs could see the end of a request in different places, one of
 * them would take a body for the next request.
 */
final class Http1Rules {

  private static final AsciiString HTTP2_SETTINGS = AsciiString.cached("http2-settings");
  private static final int BYTES_OF_A_SETTING = 6;

  private Http1Rules() {}

  /** Why a request is refused, as soon as its headers are read; empty if it is not. */
  static Optional<ApiError> violation(HttpRequest request) {
    if (request.decoderResult().isFailure()) {
      return Optional.of(error(request.decoderResult().cause()));
    }
    HttpVersion version = request.protocolVersion();
    if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
      return Optional.of(
          version.protocolName().equals(HttpVersion.HTTP_1_1.protocolName())
              ? ApiError.HTTP_VERSION_NOT_SUPPORTED
              : ApiError.BAD_REQUEST);
    }
    return isHostClear(version, request.headers()) && isLengthClear(version, request.headers())
        ? Optional.empty()
        : Optional.of(ApiError.BAD_REQUEST);
  }

  /**
   * Leaves a request at HTTP/1.1 if it asks for HTTP/2 without saying how, or waits to be told to
   * go on: that would have to come before the protocol changes, and Vert.x says it after.
   */
  static void ignoreUnclearUpgrade(HttpRequest request) {
    HttpHeaders headers = request.headers();
    if (headers.contains(HttpHeaderNames.UPGRADE)
        && !(request.protocolVersion().equals(HttpVersion.HTTP_1_1)
            && headers.getAll(HttpHeaderNames.CONNECTION).size() == 1
            && headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
            && headers.containsValue(HttpHeaderNames.CONNECTION, HTTP2_SETTINGS, true)
            && areSettings(headers.getAll(HTTP2_SETTINGS))
            && !headers.contains(HttpHeaderNames.EXPECT))) {
      headers.remove(HttpHeaderNames.UPGRADE);
    }
  }

  private static boolean areSettings(List<String> values) {
    try {
      return values.size() == 1
          && Base64.getUrlDecoder().decode(values.get(0)).length % BYTES_OF_A_SETTING == 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static ApiError error(Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      return ApiError.URI_TOO_LONG;
    }
    return cause instanceof TooLongHttpHeaderException
        ? ApiError.HEADERS_TOO_LARGE
        : ApiError.BAD_REQUEST;
  }

  private static boolean isHostClear(HttpVersion version, HttpHeaders headers) {
    int hosts = headers.getAll(HttpHeaderNames.HOST).size();
    return hosts == 1 || hosts == 0 && version.equals(HttpVersion.HTTP_1_0);
  }

  /** The codec knows one transfer coding, and takes a body in any other for the next request. */
  private static boolean isLengthClear(HttpVersion version, HttpHeaders headers) {
    List<String> codings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
    return codings.isEmpty()
        || codings.size() == 1
            && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.get(0).strip())
            && !headers.contains(HttpHeaderNames.CONTENT_LENGTH)
            && version.equals(HttpVersion.HTTP_1_1);
  }
}

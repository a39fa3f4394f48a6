package dev.seatfast.support;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sends a request exactly as it is written, which HTTP clients with good manners refuse to do. */
public final class RawHttp {

  private static final int TIMEOUT_MS = 30_000;

  private RawHttp() {}

  /** What came back; header names are lower-case. */
  public record Answer(int status, Map<String, String> headers, String body) {}

  /**
   * @param path the request target, byte for byte
   * @param body null for none
   */
  public static Answer send(
      URI server,
      String method,
      String path,
      Map<String, String> headers,
      byte[] body,
      boolean chunked)
      throws IOException {
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      socket.setSoTimeout(TIMEOUT_MS);
      OutputStream out = socket.getOutputStream();
      out.write(head(server, method, path, headers, body, chunked));
      try {
        if (body != null && chunked) {
          writeChunks(out, body);
        } else if (body != null) {
          out.write(body);
        }
        out.flush();
      } catch (IOException e) {
        // A server may answer, and stop reading, before the body is through.
      }
      return read(new BufferedInputStream(socket.getInputStream()), method);
    }
  }

  /**
   * Sends bytes as they are, one of each character, and reads answers until the server ends the
   * connection; fails if it does not. None of the answers may be one to HEAD.
   */
  public static List<Answer> talk(URI server, String bytes) throws IOException {
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      socket.setSoTimeout(TIMEOUT_MS);
      socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
      PushbackInputStream in =
          new PushbackInputStream(new BufferedInputStream(socket.getInputStream()));
      List<Answer> answers = new ArrayList<>();
      for (int next = in.read(); next >= 0; next = in.read()) {
        in.unread(next);
        answers.add(read(in, ""));
      }
      return answers;
    }
  }

  private static byte[] head(
      URI server,
      String method,
      String path,
      Map<String, String> headers,
      byte[] body,
      boolean chunked) {
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(path).append(" HTTP/1.1\r\n");
    if (!headers.containsKey("Host")) {
      head.append("Host: ").append(server.getAuthority()).append("\r\n");
    }
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    if (chunked) {
      head.append("Transfer-Encoding: chunked\r\n");
    } else if (body != null) {
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    return head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void writeChunks(OutputStream out, byte[] body) throws IOException {
    int size = Math.max(7, body.length / 100);
    for (int from = 0; from < body.length; from += size) {
      int length = Math.min(size, body.length - from);
      out.write((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
      out.write(body, from, length);
      out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
  }

  private static Answer read(InputStream in, String method) throws IOException {
    String statusLine = line(in);
    Map<String, String> headers = new TreeMap<>();
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      int colon = header.indexOf(':');
      headers.put(header.substring(0, colon).toLowerCase(), header.substring(colon + 1).strip());
    }
    int status = Integer.parseInt(statusLine.split(" ")[1]);
    return new Answer(status, headers, method.equals("HEAD") ? "" : body(in, headers));
  }

  private static String body(InputStream in, Map<String, String> headers) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if (headers.containsKey("content-length")) {
      body.write(in.readNBytes(Integer.parseInt(headers.get("content-length"))));
    } else {
      for (int size = chunkSize(in); size > 0; size = chunkSize(in)) {
        body.write(in.readNBytes(size));
        line(in);
      }
    }
    return body.toString(StandardCharsets.UTF_8);
  }

  private static int chunkSize(InputStream in) throws IOException {
    return Integer.parseInt(line(in).strip(), 16);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("The server closed the connection after: " + line);
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}

package dev.seatfast.history.load;

import dev.seatfast.history.recording.Answer;
import dev.seatfast.history.recording.Request;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Sends requests over HTTP. */
final class Calls {

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(1))
          .build();

  private final String token;

  /**
   * @param token opens the routes for operators
   */
  Calls(String token) {
    this.token = token;
  }

  /**
   * Sends a request once.
   *
   * @param patience the longest to wait for the answer
   */
  Outcome send(URI instance, Target target, Request request, Duration patience)
      throws Answers.UnexpectedException, InterruptedException {
    Target.Message message = target.message(request);
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(instance.resolve(message.path()))
            .timeout(patience)
            .method(
                message.method(),
                message.body() == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(message.body()));
    if (request instanceof Request.SetCapacity || request instanceof Request.SetPaused) {
      builder.header("Authorization", "Bearer " + token);
    }
    try {
      return Answers.read(
          request, http.send(builder.build(), HttpResponse.BodyHandlers.ofString()));
    } catch (ConnectException e) {
      return new Outcome.NotBegun();
    } catch (IOException e) {
      return new Outcome.Told(new Answer.Unknown(e.getClass().getSimpleName()));
    }
  }
}

package dev.seatfast.history.load;

import dev.seatfast.history.recording.Answer;

/** What became of an HTTP request. */
sealed interface Outcome {

  /** It was answered, or nobody knows. */
  record Told(Answer answer) implements Outcome {}

  /** It certainly was not begun, and must not have had any effect. */
  record NotBegun() implements Outcome {}
}

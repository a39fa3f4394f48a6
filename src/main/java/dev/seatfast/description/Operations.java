package dev.seatfast.description;

import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;

/** Finds the operations of a description. */
final class Operations {

  private Operations() {}

  static Stream<Operation> of(OpenAPI description) {
    return description.getPaths().getPathItems().values().stream()
        .flatMap(path -> path.getOperations().values().stream());
  }
}

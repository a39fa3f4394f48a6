package dev.seatfast.description;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.OpenAPI;

/** Sorts a description, so that it stays the same until something in it changes. */
final class Order {

  private Order() {}

  static void sort(OpenAPI description) {
    Components components = description.getComponents();
    sort(description.getPaths().getPathItems(), description.getPaths()::setPathItems);
    sort(components.getSchemas(), components::setSchemas);
    sort(components.getResponses(), components::setResponses);
    sort(components.getHeaders(), components::setHeaders);
    Operations.of(description)
        .forEach(
            operation ->
                sort(
                    operation.getResponses().getAPIResponses(),
                    operation.getResponses()::setAPIResponses));
  }

  private static <T> void sort(Map<String, T> parts, Consumer<Map<String, T>> replace) {
    replace.accept(new TreeMap<>(parts));
  }
}

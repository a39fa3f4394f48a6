package dev.seatfast.description;

import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;

/**
 * Describes a route that ends with {@code {action: confirm|cancel|extend}} as one route for each
 * action, so that a generated client has a method for each: {@code settleHold} becomes {@code
 * confirmHold} and so on.
 */
final class ActionRoutes {

  private static final String ACTION = "action";
  private static final String SEGMENT = "{" + ACTION + "}";

  private ActionRoutes() {}

  static void spellOut(OpenAPI description) {
    Map.copyOf(description.getPaths().getPathItems())
        .forEach(
            (path, item) -> {
              if (path.endsWith(SEGMENT)) {
                description.getPaths().removePathItem(path);
                for (String action : actions(item.getPOST())) {
                  description
                      .getPaths()
                      .addPathItem(
                          path.replace(SEGMENT, action),
                          OASFactory.createPathItem().POST(operation(item.getPOST(), action)));
                }
              }
            });
  }

  private static String[] actions(Operation settle) {
    return settle.getParameters().stream()
        .filter(ActionRoutes::isAction)
        .findFirst()
        .orElseThrow()
        .getSchema()
        .getPattern()
        .split("\\|");
  }

  private static Operation operation(Operation settle, String action) {
    List<Parameter> parameters =
        settle.getParameters().stream().filter(parameter -> !isAction(parameter)).toList();
    String capital = Character.toUpperCase(action.charAt(0)) + action.substring(1);
    return OASFactory.createOperation()
        .operationId(settle.getOperationId().replace("settle", action))
        .summary(settle.getSummary().replace("Settle", capital))
        .description(settle.getDescription())
        .tags(settle.getTags())
        .parameters(parameters)
        .requestBody(settle.getRequestBody())
        .responses(settle.getResponses());
  }

  private static boolean isAction(Parameter parameter) {
    return parameter.getName().equals(ACTION);
  }
}

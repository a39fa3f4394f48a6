package dev.seatfast.description;

import dev.seatfast.http.Limits;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;

/** What all parameters and all objects have in common. */
final class SchemaRules {

  private static final String TEXT = "Text";

  /** A parameter of the same name means the same in every route. */
  private static final Map<String, Supplier<Schema>> PARAMETERS =
      Map.of(
          "workshop", () -> string().pattern("^" + Limits.WORKSHOP_NAME + "$"),
          "reservationId", () -> string().format("uuid"),
          "groupId", () -> string().format("uuid"),
          "tenantId", () -> OASFactory.createSchema().ref(TEXT),
          "resourceId", () -> OASFactory.createSchema().ref(TEXT),
          "userId", () -> OASFactory.createSchema().ref(TEXT),
          "slotStartIso", () -> string().format("date-time"),
          "from", () -> string().format("date-time"),
          "to", () -> string().format("date-time"),
          "limit", SchemaRules::limit);

  /** Types of the JDK, which need no schema of their own, and the format of each. */
  private static final Map<String, String> JDK_TYPES =
      Map.of("Instant", "date-time", "UUID", "uuid");

  private SchemaRules() {}

  static void apply(OpenAPI description) {
    description.getComponents().addSchema(TEXT, text());
    description.getComponents().getSchemas().values().forEach(SchemaRules::completeProperties);
    JDK_TYPES.keySet().forEach(description.getComponents()::removeSchema);
    Operations.of(description)
        .filter(operation -> operation.getParameters() != null)
        .flatMap(operation -> operation.getParameters().stream())
        .forEach(SchemaRules::describe);
    Operations.of(description)
        .filter(operation -> operation.getRequestBody() != null)
        .forEach(operation -> operation.getRequestBody().setRequired(true));
  }

  private static void describe(Parameter parameter) {
    if (PARAMETERS.containsKey(parameter.getName())) {
      parameter.setSchema(PARAMETERS.get(parameter.getName()).get());
    }
    Schema schema = parameter.getSchema();
    if (schema.getType() != null
        && schema.getType().contains(SchemaType.INTEGER)
        && schema.getDefaultValue() instanceof String number) {
      schema.setDefaultValue(Long.valueOf(number));
    }
    parameter.setRequired(
        parameter.getIn() == Parameter.In.PATH || schema.getDefaultValue() == null);
  }

  /**
   * A property is always there, unless it is marked as nullable. Then it is left out where there is
   * no value, and never null.
   */
  private static void completeProperties(Schema object) {
    if (object.getProperties() == null) {
      return;
    }
    List<String> required = new ArrayList<>();
    object
        .getProperties()
        .forEach(
            (name, property) -> {
              if (!removeNull(property)) {
                required.add(name);
              }
              inlineJdkType(property);
            });
    object.setRequired(required);
  }

  /** Returns whether the property was nullable. */
  private static boolean removeNull(Schema property) {
    boolean one = property.getType() != null && property.getType().contains(SchemaType.NULL);
    property.removeType(SchemaType.NULL);
    List<Schema> either = property.getAnyOf();
    if (either == null || either.stream().allMatch(schema -> schema.getType() == null)) {
      return one;
    }
    // Either a reference or null.
    property.setRef(either.get(0).getRef());
    property.setType(null);
    property.setAnyOf(null);
    return true;
  }

  private static void inlineJdkType(Schema property) {
    String type = property.getRef() == null ? "" : property.getRef().replaceFirst(".*/", "");
    if (JDK_TYPES.containsKey(type)) {
      property.setRef(null);
      property.addType(SchemaType.STRING).format(JDK_TYPES.get(type));
    }
  }

  private static Schema string() {
    return OASFactory.createSchema().addType(SchemaType.STRING);
  }

  private static Schema text() {
    return string()
        .minLength(1)
        .maxLength(Limits.TEXT_LENGTH_MAX)
        .description("A text without control characters. Its case matters.");
  }

  private static Schema limit() {
    return OASFactory.createSchema()
        .addType(SchemaType.INTEGER)
        .format("int32")
        .minimum(BigDecimal.ONE)
        .maximum(BigDecimal.valueOf(Limits.PAGE_SIZE_MAX))
        .defaultValue(Limits.PAGE_SIZE_DEFAULT);
  }
}

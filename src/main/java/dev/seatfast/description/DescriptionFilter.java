package dev.seatfast.description;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.security.SecurityScheme;

/**
 * Completes what the annotations of the resources say with what holds for all routes, so that no
 * resource repeats it. It runs where the description is generated, in tests and in dev mode, and
 * not in production, which serves the description that was generated.
 */
@OpenApiFilter(stages = OpenApiFilter.RunStage.BUILD)
public class DescriptionFilter implements OASFilter {

  static final String OPERATORS = "operators";

  private static final String OPERATOR_TOKEN = "operatorToken";

  @Override
  public void filterOpenAPI(OpenAPI description) {
    description.setInfo(
        OASFactory.createInfo()
            .title("Seatfast")
            .version("1")
            .description(
                "A reservation service that never oversells and never loses a decision. The body of"
                    + " a request is JSON in UTF-8, whatever its content type says."));
    if (description.getComponents() == null) {
      description.setComponents(OASFactory.createComponents());
    }
    description.setTags(null); // the names of the tags say it all
    ActionRoutes.spellOut(description);
    SchemaRules.apply(description);
    ErrorAnswers.add(description);
    protectOperatorRoutes(description);
    Order.sort(description);
  }

  private static void protectOperatorRoutes(OpenAPI description) {
    description
        .getComponents()
        .addSecurityScheme(
            OPERATOR_TOKEN,
            OASFactory.createSecurityScheme()
                .type(SecurityScheme.Type.HTTP)
                .scheme("bearer")
                .description("seatfast.internal-token. Without it these routes answer 404."));
    Operations.of(description)
        .filter(operation -> operation.getTags().contains(OPERATORS))
        .forEach(
            operation -> {
              operation.addSecurityRequirement(
                  OASFactory.createSecurityRequirement().addScheme(OPERATOR_TOKEN));
              operation
                  .getResponses()
                  .addAPIResponse("404", OASFactory.createAPIResponse().ref("NotFound"));
            });
  }
}

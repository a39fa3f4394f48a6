package dev.seatfast.operators;

import static dev.seatfast.http.ApiError.JSON;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.seatfast.access.Audit;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.JsonAnswers;
import dev.seatfast.http.Pages;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;

/** Shows the record of what operators changed. Nothing changes it over HTTP. */
@Path("/internal/audit")
@Tag(name = "operators")
@OperatorOnly
@Blocking
public class AuditResource {

  private final Audit audit;

  AuditResource(Audit audit) {
    this.audit = audit;
  }

  /**
   * One change.
   *
   * @param actor a token's id, a user or {@code internal-token}
   * @param before what there was; left out if there was nothing
   * @param after what there is since then; left out if there is nothing
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record AuditEntry(
      Instant occurredAt,
      String actor,
      String action,
      String target,
      @Schema(nullable = true) String before,
      @Schema(nullable = true) String after) {

    static AuditEntry of(Audit.Entry entry) {
      return new AuditEntry(
          entry.occurredAt(),
          entry.actor(),
          entry.action(),
          entry.target(),
          entry.before(),
          entry.after());
    }
  }

  /**
   * Some entries.
   *
   * @param after what to pass on for the next page; left out on the last one
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record AuditPage(List<AuditEntry> entries, @Schema(nullable = true) String after) {

    static AuditPage of(List<Audit.Entry> page, int size) {
      return new AuditPage(
          page.stream().map(AuditEntry::of).toList(),
          page.size() < size ? null : text(page.get(size - 1)));
    }

    private static String text(Audit.Entry last) {
      return last.occurredAt() + "_" + last.id();
    }
  }

  @GET
  @Operation(
      operationId = "listAudit",
      summary = "List what operators changed, the newest first",
      description = "Pass on the after of each page to get the next one.")
  @APIResponse(
      responseCode = "200",
      description = "A page",
      content = @Content(mediaType = JSON, schema = @Schema(implementation = AuditPage.class)))
  public Response list(
      @RestQuery @DefaultValue("") String after,
      @RestQuery @DefaultValue(Pages.SIZE_DEFAULT) String limit) {
    int size = Pages.size(limit);
    return JsonAnswers.ok(AuditPage.of(audit.page(position(after), size), size));
  }

  private static Optional<Audit.Position> position(String after) {
    if (after.isEmpty()) {
      return Optional.empty();
    }
    try {
      String[] parts = after.split("_", 2);
      return Optional.of(
          new Audit.Position(Instant.parse(parts[0]), UUID.fromString(parts[parts.length - 1])));
    } catch (DateTimeException | IllegalArgumentException e) {
      throw new ApiException(ApiError.INVALID_PAGE);
    }
  }
}

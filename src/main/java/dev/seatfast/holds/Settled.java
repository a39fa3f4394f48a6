package dev.seatfast.holds;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A hold was confirmed, cancelled or extended.
 *
 * @param expiresAt the end of an extended hold, in milliseconds since 1970; else null
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Settled(boolean ok, UUID reservationId, @Schema(nullable = true) Long expiresAt) {}

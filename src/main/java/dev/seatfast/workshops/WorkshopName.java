package dev.seatfast.workshops;

import dev.seatfast.engine.PoolKey;
import dev.seatfast.http.ApiError;
import dev.seatfast.http.ApiException;
import dev.seatfast.http.Limits;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name of a workshop.
 *
 * @param value matches {@value Limits#WORKSHOP_NAME}
 */
public record WorkshopName(String value) {

  private static final Pattern VALID = Pattern.compile(Limits.WORKSHOP_NAME);

  public WorkshopName {
    if (!isValid(value)) {
      throw new IllegalArgumentException("Not a workshop name");
    }
  }

  /**
   * Reads a name that is decoded already.
   *
   * @throws ApiException {@link ApiError#INVALID_WORKSHOP_NAME}
   */
  public static WorkshopName of(String name) {
    if (!isValid(name)) {
      throw new ApiException(ApiError.INVALID_WORKSHOP_NAME);
    }
    return new WorkshopName(name);
  }

  private static boolean isValid(CharSequence name) {
    return VALID.matcher(name).matches();
  }

  /**
   * Reads a path segment as it came in the request line.
   *
   * @return empty if it is no workshop name, or not percent-encoded correctly
   */
  static Optional<WorkshopName> ofRawPathSegment(String segment) {
    StringBuilder decoded = new StringBuilder(segment.length());
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c == '%') {
        int high = i + 2 < segment.length() ? Character.digit(segment.charAt(i + 1), 16) : -1;
        int low = high < 0 ? -1 : Character.digit(segment.charAt(i + 2), 16);
        if (low < 0) {
          return Optional.empty();
        }
        // A byte beyond ASCII becomes a character that no name has: no need to decode UTF-8.
        c = (char) (high * 16 + low);
        i += 2;
      }
      decoded.append(c);
    }
    return isValid(decoded) ? Optional.of(new WorkshopName(decoded.toString())) : Optional.empty();
  }

  /** The seat pool of the workshop that belongs to no tenant. */
  public PoolKey pool() {
    return PoolKey.ofWorkshop(value);
  }

  /** The seat pool of a tenant's workshop. */
  public PoolKey pool(String tenant) {
    return PoolKey.ofWorkshop(tenant, value);
  }
}

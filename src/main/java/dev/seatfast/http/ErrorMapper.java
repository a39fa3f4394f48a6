package dev.seatfast.http;

import dev.seatfast.database.NamespaceDeletedException;
import dev.seatfast.database.SqlStates;
import dev.seatfast.database.Tombstone;
import dev.seatfast.database.UnavailableException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ExceptionUnwrapStrategy;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.jboss.resteasy.reactive.server.UnwrapException;

/** The one place that turns what went wrong into what the client sees. */
@UnwrapException(value = CompletionException.class, strategy = ExceptionUnwrapStrategy.ALWAYS)
public class ErrorMapper {

  private static final Logger LOG = Logger.getLogger(ErrorMapper.class);

  private final Tombstone tombstone;

  ErrorMapper(Tombstone tombstone) {
    this.tombstone = tombstone;
  }

  @ServerExceptionMapper
  public Response api(ApiException e, HttpHeaders headers) {
    return response(e.error(), e.members(), headers);
  }

  @ServerExceptionMapper
  public Response unavailable(UnavailableException e, HttpHeaders headers) {
    return response(
        switch (e.reason()) {
          case OVERLOADED -> ApiError.OVERLOADED;
          case DATABASE, UNDONE -> ApiError.UNAVAILABLE;
        },
        headers);
  }

  @ServerExceptionMapper
  public Response deleted(NamespaceDeletedException e, HttpHeaders headers) {
    return response(ApiError.CLEANUP, headers);
  }

  @ServerExceptionMapper
  public Response web(WebApplicationException e, HttpHeaders headers) {
    int status = e.getResponse().getStatus();
    return response(status < 500 ? ApiError.ofClientError(status) : logged(e), headers);
  }

  /** Also what Hibernate wraps the database's faults in. */
  @ServerExceptionMapper
  public Response unexpected(Throwable e, HttpHeaders headers) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql && SqlStates.schemaMissing(sql) && tombstone.check()) {
        return response(ApiError.CLEANUP, headers);
      }
      if (cause instanceof SQLException sql
          && (SqlStates.unavailable(sql) || SqlStates.schemaMissing(sql))) {
        LOG.warnf("No answer from the database (%s): %s", sql.getSQLState(), sql.getMessage());
        return response(ApiError.UNAVAILABLE, headers);
      }
    }
    return response(logged(e), headers);
  }

  private static ApiError logged(Throwable e) {
    LOG.error("A request failed for a reason of ours", e);
    return ApiError.INTERNAL_ERROR;
  }

  private static Response response(ApiError error, HttpHeaders headers) {
    return response(error, Map.of(), headers);
  }

  private static Response response(ApiError error, Map<String, ?> members, HttpHeaders headers) {
    String mediaType = error.mediaType(headers.getHeaderString(HttpHeaders.ACCEPT));
    Response.ResponseBuilder response =
        Response.status(error.status()).type(mediaType).entity(error.body(mediaType, members));
    if (error.retryAfterSeconds() > 0) {
      response.header(HttpHeaders.RETRY_AFTER, error.retryAfterSeconds());
    }
    return response.build();
  }
}

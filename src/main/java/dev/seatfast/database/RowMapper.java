package dev.seatfast.database;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;

/** Makes a value of one row of a result. */
@FunctionalInterface
public interface RowMapper<T> {

  /**
   * @param row positioned on the row; the mapper must not move it
   */
  T map(ResultSet row) throws SQLException;

  /** Reads a {@code timestamptz}; null if the column is null. */
  static Instant instant(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}

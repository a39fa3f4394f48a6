package dev.seatfast.engine;

import dev.seatfast.database.RowMapper;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/**
 * No seats of the pool could be taken at the time, whether or not there were any. This is no
 * decision and nothing remembers it: the same request may succeed a moment later.
 *
 * @param opensAt null if the pool has no such time
 * @param closesAt null if the pool has no such time
 */
public record Shut(Reason reason, Instant opensAt, Instant closesAt)
    implements SeatAnswer, HoldAnswer {

  /** Why not, in the words of the database's functions. */
  public enum Reason {
    NOT_OPEN,
    CLOSED,
    PAUSED
  }

  @Override
  public Shut replay() {
    return this;
  }

  /** Reads the times beside a reason that was found in the same row. */
  static Shut of(String reason, ResultSet row) throws SQLException {
    return new Shut(
        Reason.valueOf(reason),
        RowMapper.instant(row, "o_opens_at"),
        RowMapper.instant(row, "o_closes_at"));
  }
}

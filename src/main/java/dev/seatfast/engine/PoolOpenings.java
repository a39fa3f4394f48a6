package dev.seatfast.engine;

import dev.seatfast.database.Database;
import dev.seatfast.database.RowMapper;
import dev.seatfast.database.Session;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;

/** When seats of pools may be taken, in SQL. The database's clock counts, never this process's. */
@Singleton
public class PoolOpenings {

  private final Database database;
  private final EngineConfig config;

  PoolOpenings(Database database, EngineConfig config) {
    this.database = database;
    this.config = config;
  }

  /** Does more in the transaction that sets an opening. */
  @FunctionalInterface
  public interface Recorder {

    /**
     * @param before what there was until then
     */
    void record(Session session, Opening before) throws SQLException;
  }

  /** Reads when seats of a pool may be taken; a pool that nobody used is always open. */
  public Opening read(PoolKey pool) {
    return database
        .first(
            "SELECT opens_at, closes_at, paused FROM {schema}.seat_pool WHERE pool_key = ?",
            parameters -> parameters.add(pool.value()),
            row -> opening(row, ""))
        .orElse(Opening.ALWAYS);
  }

  /**
   * Sets when seats of a workshop may be taken, and makes its pool if nobody used it yet. Decisions
   * and holds that were made stay as they are. Once this returns, no request goes on by what there
   * was before.
   *
   * @param recorder runs in the same transaction
   */
  public void set(PoolKey workshop, Opening opening, Recorder recorder) {
    database.inTransaction(
        session -> {
          Opening before =
              session.one(
                  """
                  SELECT o_opens_at, o_closes_at, o_paused
                    FROM {schema}.set_opening(?, ?, ?, ?, ?, ?)
                  """,
                  parameters ->
                      parameters
                          .add(workshop.value())
                          .add(config.defaultCapacity())
                          .add(opening.opensAt())
                          .add(opening.closesAt())
                          .add(opening.paused())
                          .add(config.events().enabled()),
                  row -> opening(row, "o_"));
          recorder.record(session, before);
          return before;
        });
    database.wrote();
  }

  static Opening opening(ResultSet row, String prefix) throws SQLException {
    return new Opening(
        RowMapper.instant(row, prefix + "opens_at"),
        RowMapper.instant(row, prefix + "closes_at"),
        row.getBoolean(prefix + "paused"));
  }
}

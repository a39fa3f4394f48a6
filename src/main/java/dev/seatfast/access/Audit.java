package dev.seatfast.access;

import dev.seatfast.database.Database;
import dev.seatfast.database.RowMapper;
import dev.seatfast.database.Session;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The record of what operators changed. */
@Singleton
public class Audit {

  /** Actions of operators that leave an entry. */
  public enum Action {
    CAPACITY_SET,
    OPENING_SET,
    SWEPT,
    TOKEN_CREATED,
    TOKEN_REVOKED
  }

  private final Database database;

  Audit(Database database) {
    this.database = database;
  }

  /**
   * One change.
   *
   * @param actor a token's id, a user or {@code internal-token}
   * @param target a pool's key or a token's id
   * @param before what there was; null for nothing
   * @param after what there is since then; null for nothing
   */
  public record Entry(
      Instant occurredAt,
      UUID id,
      String actor,
      String action,
      String target,
      String before,
      String after) {}

  /** A place among the entries, the newest of which come first. */
  public record Position(Instant occurredAt, UUID id) {}

  /** Writes an entry in the transaction of the change that it is about. */
  public void record(
      Session session, Caller caller, Action action, String target, String before, String after)
      throws SQLException {
    session.update(
        """
        INSERT INTO {schema}.audit_entry
            (occurred_at, entry_id, actor, action, target, before, after)
        VALUES (clock_timestamp(), ?, ?, ?, ?, ?, ?)
        """,
        parameters ->
            parameters
                .add(UUID.randomUUID())
                .add(caller.name())
                .add(action.name())
                .add(target)
                .add(before)
                .add(after));
  }

  /**
   * Reads entries, the newest first.
   *
   * @param behind where the page before ended; empty to begin
   */
  public List<Entry> page(Optional<Position> behind, int limit) {
    return database.list(
        """
        SELECT occurred_at, entry_id, actor, action, target, before, after
          FROM {schema}.audit_entry
         WHERE (occurred_at, entry_id) < (?, ?)
         ORDER BY occurred_at DESC, entry_id DESC
         LIMIT ?
        """,
        parameters -> {
          Position from = behind.orElse(END);
          parameters.add(from.occurredAt()).add(from.id()).add(limit);
        },
        row ->
            new Entry(
                RowMapper.instant(row, "occurred_at"),
                row.getObject("entry_id", UUID.class),
                row.getString("actor"),
                row.getString("action"),
                row.getString("target"),
                row.getString("before"),
                row.getString("after")));
  }

  /** Behind every entry that will ever be. */
  private static final Position END =
      new Position(Instant.parse("9999-12-31T00:00:00Z"), new UUID(-1, -1));
}

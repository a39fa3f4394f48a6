package dev.seatfast.database;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.UUID;

/** Binds the values of a statement, in the order of its question marks. */
public final class Parameters {

  private final PreparedStatement statement;
  private int bound;

  Parameters(PreparedStatement statement) {
    this.statement = statement;
  }

  /** Binds a statement's values. */
  @FunctionalInterface
  public interface Binder {

    /** For a statement without question marks. */
    Binder NONE = parameters -> {};

    void bind(Parameters parameters) throws SQLException;
  }

  public Parameters add(String value) throws SQLException {
    statement.setString(++bound, value);
    return this;
  }

  public Parameters add(int value) throws SQLException {
    statement.setInt(++bound, value);
    return this;
  }

  public Parameters add(short value) throws SQLException {
    statement.setShort(++bound, value);
    return this;
  }

  public Parameters add(long value) throws SQLException {
    statement.setLong(++bound, value);
    return this;
  }

  public Parameters add(boolean value) throws SQLException {
    statement.setBoolean(++bound, value);
    return this;
  }

  public Parameters add(byte[] value) throws SQLException {
    statement.setBytes(++bound, value);
    return this;
  }

  public Parameters add(UUID value) throws SQLException {
    statement.setObject(++bound, value);
    return this;
  }

  public Parameters add(Instant value) throws SQLException {
    statement.setObject(++bound, value == null ? null : value.atOffset(ZoneOffset.UTC));
    return this;
  }

  /** Binds a duration in seconds, for {@code make_interval(secs => ?)}. */
  public Parameters add(Duration value) throws SQLException {
    statement.setDouble(++bound, value.toMillis() / 1000.0);
    return this;
  }

  public Parameters addTexts(Collection<String> values) throws SQLException {
    return addArray("text", values);
  }

  public Parameters addIntegers(Collection<Integer> values) throws SQLException {
    return addArray("integer", values);
  }

  public Parameters addUuids(Collection<UUID> values) throws SQLException {
    return addArray("uuid", values);
  }

  private Parameters addArray(String type, Collection<?> values) throws SQLException {
    statement.setArray(++bound, statement.getConnection().createArrayOf(type, values.toArray()));
    return this;
  }
}

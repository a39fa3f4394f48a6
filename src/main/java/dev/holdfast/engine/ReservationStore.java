package dev.holdfast.engine;

import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Direct reservations, in SQL. */
@Singleton
class ReservationStore {

  /** As many as the table's constraint allows. */
  private static final int REJECTION_STRIPES = 16;

  private final Database database;
  private final EngineConfig config;

  ReservationStore(Database database, EngineConfig config) {
    this.database = database;
    this.config = config;
  }

  /**
   * Decides requests for one pool in one transaction and one round trip, in their order.
   *
   * @param requests with request ids that differ from each other
   * @return one decision for each, in the same order, all of them committed
   */
  List<Decision> reserve(PoolKey pool, List<SeatRequest> requests) {
    return database.inOneStatement(
        """
        SELECT o_accepted, o_seats, o_capacity, o_reserved, o_replayed
          FROM %s.reserve(?, ?, ?, ?, ?, ?)
        """,
        (connection, statement) -> {
          bind(connection, statement, pool, requests);
          try (ResultSet rows = statement.executeQuery()) {
            return decisions(requests, rows);
          }
        });
  }

  private void bind(
      Connection connection, PreparedStatement statement, PoolKey pool, List<SeatRequest> requests)
      throws SQLException {
    Object[] ids = requests.stream().map(SeatRequest::requestId).toArray();
    Object[] seats = requests.stream().map(SeatRequest::seats).toArray();
    statement.setString(1, pool.value());
    statement.setInt(2, config.defaultCapacity());
    statement.setShort(3, (short) ThreadLocalRandom.current().nextInt(REJECTION_STRIPES));
    statement.setArray(4, connection.createArrayOf("text", ids));
    statement.setArray(5, connection.createArrayOf("integer", seats));
    statement.setBoolean(6, config.events().enabled());
  }

  private static List<Decision> decisions(List<SeatRequest> requests, ResultSet rows)
      throws SQLException {
    List<Decision> decisions = new ArrayList<>(requests.size());
    while (rows.next()) {
      decisions.add(
          new Decision(
              requests.get(decisions.size()).requestId(),
              rows.getInt("o_seats"),
              rows.getBoolean("o_accepted") ? Decision.Outcome.ACCEPTED : Decision.Outcome.REJECTED,
              rows.getInt("o_capacity"),
              rows.getInt("o_reserved"),
              rows.getBoolean("o_replayed")));
    }
    if (decisions.size() != requests.size()) {
      throw new IllegalStateException(
          "%d requests, but %d decisions".formatted(requests.size(), decisions.size()));
    }
    return decisions;
  }
}

package dev.seatfast.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.database.Database;
import dev.seatfast.support.Client;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class SweepTest {

  private static final int BATCH = 500;

  @Inject Sweep sweep;
  @Inject InvariantChecker invariants;
  @Inject ReservationEngine reservations;
  @Inject HoldEngine holds;
  @Inject SeatPools pools;
  @Inject Database database;

  private final String prefix = Client.freshWorkshop();

  @BeforeEach
  void finishWhatOtherTestsLeft() {
    while (sweep.runBatch().full()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aBacklogDrainsInBoundedBatchesOnSeveralInstancesWhileDecisionsGoOn() throws Exception {
    makeExpiredHolds(6_000);
    List<Callable<Integer>> work = new ArrayList<>();
    for (int instance = 0; instance < 3; instance++) {
      work.add(this::sweepToTheEnd);
    }
    work.add(
        () -> {
          int decided = 0;
          for (int i = 1; i <= 300; i++) { // on pools that are being swept, too
            PoolKey pool = PoolKey.ofWorkshop(prefix + "-" + i);
            SeatRequest request = new SeatRequest("request-" + i, 1);
            if (reservations.reserve(pool, request).toCompletableFuture().join().reserved() == 1) {
              decided++;
            }
          }
          assertEquals(300, decided, "no expired hold counts, swept or not");
          return 0;
        });
    List<Integer> freed = Client.atOnce(work);
    int swept = freed.stream().mapToInt(Integer::intValue).sum();
    assertTrue(swept >= 6_000 - 300 && swept <= 6_000, "swept " + swept);
    assertEquals(0, stillHeld());
    assertEquals(List.of(), invariants.check());
  }

  @Test
  void aBatchTakesNoMoreThanItsBound() {
    makeExpiredHolds(BATCH + 10);
    Sweep.Batch first = sweep.runBatch();
    assertEquals(BATCH, first.seats());
    assertTrue(first.full());
    assertEquals(10, sweep.runBatch().seats());
    assertEquals(0, sweep.runBatch().found());
  }

  @Test
  void aPoolThatIsLockedIsLeftForTheNextTime() {
    makeExpiredHolds(2);
    database.inTransaction(
        session -> {
          session.list(
              "SELECT FROM {schema}.seat_pool WHERE pool_key = ? FOR UPDATE",
              parameters -> parameters.add(PoolKey.ofWorkshop(prefix + "-1").value()),
              row -> row);
          assertEquals(1, sweep.runBatch().seats());
          return null;
        });
    assertEquals(1, sweep.runBatch().seats());
  }

  private int sweepToTheEnd() {
    int seats = 0;
    for (Sweep.Batch batch = sweep.runBatch(); batch.found() > 0; batch = sweep.runBatch()) {
      assertTrue(batch.found() <= BATCH);
      seats += batch.seats();
    }
    return seats;
  }

  /** One hold of one seat in each of as many workshops, as if nobody had swept for an hour. */
  private void makeExpiredHolds(int count) {
    database.update(
        """
        WITH pools AS (
            INSERT INTO {schema}.seat_pool (pool_key, capacity, reserved)
            SELECT 'w:' || ? || '-' || i, 4, 1 FROM generate_series(1, ?) AS i
            RETURNING pool_key
        )
        INSERT INTO {schema}.reservation_attempt
            (pool_key, request_id, seats, state, reservation_id, owner, expires_at)
        SELECT pool_key, 'hold:key', 1, 'HELD', gen_random_uuid(), 'ann', now() - interval '1 hour'
          FROM pools
        """,
        parameters -> parameters.add(prefix).add(count));
  }

  private int stillHeld() {
    return database.one(
        "SELECT count(*) AS n FROM {schema}.reservation_attempt WHERE state = 'HELD' AND pool_key LIKE ?",
        parameters -> parameters.add("w:" + prefix + "%"),
        row -> row.getInt("n"));
  }
}

package dev.seatfast.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
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

  /** Also of the holds that would end while a test here counts. */
  @BeforeEach
  void finishWhatOtherTestsLeft() {
    database.update(
        "UPDATE {schema}.reservation_attempt SET expires_at = decided_at WHERE state = 'HELD'",
        parameters -> {});
    database.update(
        "UPDATE {schema}.seat_pool SET next_expiry = now() WHERE next_expiry IS NOT NULL",
        parameters -> {});
    Sweeps.all(sweep);
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
            SeatAnswer answer = reservations.reserve(pool, request).toCompletableFuture().join();
            if (answer instanceof Decision decision && decision.reserved() == 1) {
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
    assertEquals(List.of(), Invariants.disagreements(invariants));
  }

  @Test
  void aBatchTakesNoMoreThanItsBound() {
    makeExpiredHolds(BATCH + 10);
    Sweep.Batch first = sweep.runBatch(Sweep.Position.START, Sweep.Recorder.NONE);
    assertEquals(BATCH, first.seats());
    Sweep.Batch second = sweep.runBatch(first.next(), Sweep.Recorder.NONE);
    assertEquals(10, second.seats());
    assertNull(second.next());
  }

  @Test
  void aBatchOfManyPoolsWithManyHoldsEachTakesNoMoreThanItsBound() {
    makeExpiredHolds(100, 20);
    int batches = 0;
    int seats = 0;
    Sweep.Position position = Sweep.Position.START;
    while (position != null) {
      Sweep.Batch batch = sweep.runBatch(position, Sweep.Recorder.NONE);
      assertTrue(batch.seats() <= BATCH, "swept " + batch.seats());
      seats += batch.seats();
      batches++;
      position = batch.next();
    }
    assertEquals(2_000, seats);
    assertTrue(batches >= 4, "in " + batches);
    assertEquals(List.of(), Invariants.disagreements(invariants));
  }

  @Test
  void theSweepGoesOnBehindALockedPoolWithMoreThanABatchOfHoldsAndSaysThatItSkippedIt() {
    makeExpiredHolds(1, 2 * BATCH);
    makeExpiredHolds(3);
    String hot = prefix + "-1-of-" + 2 * BATCH;
    database.inTransaction(
        session -> {
          session.one(
              "SELECT 1 FROM {schema}.seat_pool WHERE pool_key = ? FOR UPDATE",
              parameters -> parameters.add(PoolKey.ofWorkshop(hot).value()),
              row -> row.getInt(1));
          int seats = 0;
          boolean skipped = false;
          Sweep.Position position = Sweep.Position.START;
          while (position != null) {
            Sweep.Batch batch = sweep.runBatch(position, Sweep.Recorder.NONE);
            seats += batch.seats();
            skipped |= batch.skipped();
            position = batch.next();
          }
          assertEquals(3, seats);
          assertTrue(skipped);
          return null;
        });
    assertEquals(2 * BATCH, Sweeps.all(sweep));
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
          assertEquals(1, sweep.runBatch(Sweep.Position.START, Sweep.Recorder.NONE).seats());
          return null;
        });
    assertEquals(1, sweep.runBatch(Sweep.Position.START, Sweep.Recorder.NONE).seats());
  }

  private int sweepToTheEnd() {
    int seats = 0;
    while (stillHeld() > 0) {
      seats += Sweeps.all(sweep);
    }
    return seats;
  }

  /** One hold of one seat in each of as many workshops, as if nobody had swept for an hour. */
  private void makeExpiredHolds(int pools) {
    makeExpiredHolds(pools, 1);
  }

  /** The earlier a hold of a pool, the earlier it ended; all of them for an hour or more. */
  private void makeExpiredHolds(int pools, int holdsOfEach) {
    database.update(
        """
        WITH pools AS (
            INSERT INTO {schema}.seat_pool (pool_key, capacity, reserved, next_expiry)
            SELECT 'w:' || ? || '-' || i || ?, greatest(4, ?), ?, now() - interval '2 hours'
              FROM generate_series(1, ?) AS i
            RETURNING pool_key
        )
        INSERT INTO {schema}.reservation_attempt
            (pool_key, request_id, seats, state, reserved_after, reservation_id, owner, expires_at)
        SELECT pool_key, 'key-' || n, 1, 'HELD', 1, gen_random_uuid(), 'ann',
               now() - interval '1 hour' - n * interval '1 ms'
          FROM pools, generate_series(1, ?) AS n
        """,
        parameters ->
            parameters
                .add(prefix)
                .add(holdsOfEach == 1 ? "" : "-of-" + holdsOfEach)
                .add(holdsOfEach)
                .add(holdsOfEach)
                .add(pools)
                .add(holdsOfEach));
  }

  private int stillHeld() {
    return database.one(
        "SELECT count(*) AS n FROM {schema}.reservation_attempt WHERE state = 'HELD' AND pool_key LIKE ?",
        parameters -> parameters.add("w:" + prefix + "%"),
        row -> row.getInt("n"));
  }
}

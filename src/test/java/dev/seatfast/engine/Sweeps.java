package dev.seatfast.engine;

/** Runs the sweep from its beginning to its end. */
final class Sweeps {

  private Sweeps() {}

  /** Returns the seats that came free. */
  static int all(Sweep sweep) {
    int seats = 0;
    Sweep.Position position = Sweep.Position.START;
    while (position != null) {
      Sweep.Batch batch = sweep.runBatch(position, Sweep.Recorder.NONE);
      seats += batch.seats();
      position = batch.next();
    }
    return seats;
  }
}

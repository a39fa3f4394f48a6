package dev.seatfast.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jboss.logging.Logger;

/** A lock that the operating system releases however the process that holds it ends. */
record OwnerLock(FileChannel channel, FileLock lock) implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(OwnerLock.class);

  static Optional<OwnerLock> tryAcquire(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return Optional.of(new OwnerLock(channel, lock));
      }
    } catch (OverlappingFileLockException e) {
      LOG.debugf("This process already owns %s", file);
    }
    channel.close();
    return Optional.empty();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debugf("Could not close the lock file: %s", e.getMessage());
    }
  }
}

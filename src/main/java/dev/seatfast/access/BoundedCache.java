package dev.seatfast.access;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Values that are good for a while each. When it is full, a new value takes the place of the one
 * that was not asked for the longest.
 */
final class BoundedCache<K, V> {

  private final Ticker ticker;
  private final Map<K, Entry<V>> entries;

  /**
   * @param sizeMax how many values it keeps at most
   */
  BoundedCache(Ticker ticker, int sizeMax) {
    this.ticker = ticker;
    this.entries =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, Entry<V>> eldest) {
            return size() > sizeMax;
          }
        };
  }

  private record Entry<V>(V value, long endNanos) {}

  synchronized Optional<V> get(K key) {
    Entry<V> entry = entries.get(key);
    if (entry == null) {
      return Optional.empty();
    }
    if (entry.endNanos() - ticker.nanos() <= 0) {
      entries.remove(key);
      return Optional.empty();
    }
    return Optional.of(entry.value());
  }

  /**
   * Keeps a value.
   *
   * @param sinceNanos the {@link Ticker#nanos} at which the value was true
   * @param time how long after that it may be used
   */
  synchronized void put(K key, V value, long sinceNanos, Duration time) {
    entries.put(key, new Entry<>(value, sinceNanos + time.toNanos()));
  }

  synchronized int size() {
    return entries.size();
  }
}

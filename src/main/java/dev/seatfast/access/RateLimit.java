package dev.seatfast.access;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A token bucket for each caller: so many requests per second, and several seconds' worth at once.
 * It is approximate: each process counts for itself, and forgets a caller that was not seen for the
 * longest when too many are.
 */
final class RateLimit {

  private static final int CALLERS_MAX = 20_000;

  private final double perNano;
  private final double full;
  private final Ticker ticker;
  private final Map<String, Bucket> buckets =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
          return size() > CALLERS_MAX;
        }
      };

  /**
   * @param perSecond how many requests, 1 or more
   * @param burstSeconds for how many seconds' worth a caller may ask at once
   */
  RateLimit(int perSecond, int burstSeconds, Ticker ticker) {
    this.perNano = (double) perSecond / Duration.ofSeconds(1).toNanos();
    this.full = (double) perSecond * burstSeconds;
    this.ticker = ticker;
  }

  private static final class Bucket {
    private double tokens;
    private long filledNanos;
  }

  /**
   * Counts a request.
   *
   * @return 0 if the caller may ask, else after how many seconds it may
   */
  synchronized int take(String caller) {
    Bucket bucket = filled(caller);
    if (bucket.tokens >= 1) {
      bucket.tokens--;
      return 0;
    }
    double nanos = (1 - bucket.tokens) / perNano;
    return (int) Math.max(1, Math.ceil(nanos / Duration.ofSeconds(1).toNanos()));
  }

  /** Takes back that a request was counted. */
  synchronized void giveBack(String caller) {
    Bucket bucket = filled(caller);
    bucket.tokens = Math.min(full, bucket.tokens + 1);
  }

  private Bucket filled(String caller) {
    long now = ticker.nanos();
    Bucket bucket = buckets.get(caller);
    if (bucket == null) {
      bucket = new Bucket();
      bucket.tokens = full;
      buckets.put(caller, bucket);
    } else {
      bucket.tokens = Math.min(full, bucket.tokens + (now - bucket.filledNanos) * perNano);
    }
    bucket.filledNanos = now;
    return bucket;
  }

  synchronized int callers() {
    return buckets.size();
  }
}

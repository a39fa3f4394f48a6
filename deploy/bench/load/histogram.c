#include "histogram.h"

#include <math.h>

static int bucket_of(uint64_t value) {
  if (value < 256) return (int)value;
  int shift = 63 - __builtin_clzll(value) - 8;
  int bucket = (shift + 1) * 256 + (int)((value >> shift) & 255);
  return bucket < HISTOGRAM_BUCKETS ? bucket : HISTOGRAM_BUCKETS - 1;
}

static uint64_t upper_end(int bucket) {
  if (bucket < 256) return (uint64_t)bucket;
  int shift = bucket / 256 - 1;
  return ((uint64_t)(256 + bucket % 256 + 1) << shift) - 1;
}

void histogram_add(struct histogram *histogram, uint64_t nanos) {
  histogram->counts[bucket_of(nanos)]++;
  histogram->total++;
  if (nanos > histogram->max) histogram->max = nanos;
}

uint64_t histogram_percentile(const struct histogram *histogram, double share) {
  uint64_t wanted = (uint64_t)ceil(share * (double)histogram->total);
  uint64_t seen = 0;
  for (int bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++) {
    seen += histogram->counts[bucket];
    if (seen >= wanted && seen > 0) {
      uint64_t end = upper_end(bucket);
      return end < histogram->max ? end : histogram->max;
    }
  }
  return 0;
}

#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <stdint.h>

/* Counts durations in buckets that are at most 0.4 % wide: 256 to each power of two. */
enum { HISTOGRAM_BUCKETS = 256 * 34 }; /* up to 2^41 ns, 36 minutes */

struct histogram {
  uint64_t counts[HISTOGRAM_BUCKETS];
  uint64_t total;
  uint64_t max;
};

void histogram_add(struct histogram *histogram, uint64_t nanos);

/* Returns the upper end of the bucket below which `share` of the values lie, 0 if there are none. */
uint64_t histogram_percentile(const struct histogram *histogram, double share);

#endif

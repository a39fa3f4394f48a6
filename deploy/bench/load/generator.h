#ifndef GENERATOR_H
#define GENERATOR_H

#include <netinet/in.h>
#include <stdint.h>

#include "histogram.h"
#include "template.h"

enum { STEPS_MAX = 4, TARGETS_MAX = 256, CONNECTIONS_MAX = 4096, STATUS_MAX = 599 };

struct plan {
  struct sockaddr_in targets[TARGETS_MAX]; /* the connections are shared out among them */
  int target_count;
  struct step steps[STEPS_MAX]; /* one sequence of requests on one connection */
  int step_count;
  int connections;
  double seconds;
  double rate;          /* sequences a second at random; 0 sends again as soon as it is answered */
  const char *capture;  /* the member of an answer that the next step is told, or NULL */
  const char *unique_prefix;
  uint32_t universe;
  uint64_t seed;
  double answer_seconds_max;
};

struct outcome {
  uint64_t sent;          /* requests, including those of later steps */
  uint64_t answered;      /* with whatever status */
  uint64_t in_time;       /* answered while new requests were still sent */
  uint64_t failed;        /* no answer, a malformed one, or one with another status than expected */
  uint64_t unsent;        /* due, but no connection was free for it until the end */
  uint64_t reconnects;
  uint64_t kernel_timed;  /* answers whose arrival the kernel told */
  uint64_t statuses[STATUS_MAX + 1];
  struct histogram latency;

  /* How long after its time each request was sent because this program was not there to send it:
   * after it was due or, if all connections were busy then, after the answer arrived that freed its
   * connection. The service has no part in this. */
  struct histogram lateness;
};

/* Connects, sends what the plan says, and waits for the answers. Ends the process with a message if
 * it cannot connect, at first or again. */
void generate(const struct plan *plan, struct outcome *outcome);

#endif

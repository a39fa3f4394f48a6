/* One thread, one epoll instance, one request at a time on each connection.
 *
 * In a closed loop, latency counts from the moment at which a request is sent. In an open loop it
 * counts from the moment at which it was due, so that the wait for a free connection is part of it.
 * It ends when the kernel received the last byte of the answer, not when this program came round to
 * reading it. */
#define _GNU_SOURCE
#include "generator.h"

#include <err.h>
#include <errno.h>
#include <math.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "answer.h"

enum { EVENTS_MAX = 256, DUE_MAX = 1 << 20 };
#define SECOND 1000000000ull

struct connection {
  int socket;
  const struct sockaddr_in *target;
  bool busy;
  int step;
  uint64_t unique;
  uint64_t counted_from; /* where the latency of its request begins */
  uint64_t sent_at;
  uint64_t freed_at; /* when the answer before arrived */
  char captured[CAPTURED_BYTES_MAX];
  struct answer answer;
};

struct generator {
  const struct plan *plan;
  struct outcome *outcome;
  struct connection *connections;
  struct chance chance;
  int epoll;
  uint64_t sequences;
  uint64_t end;        /* no sequence begins after it */
  uint64_t next_due;   /* of the open loop */
  int64_t wall_offset; /* what turns the kernel's wall clock into the monotonic one */
  int busy;

  /* Rings: connections that are free, and moments for which none was free yet. */
  struct connection **free;
  uint32_t free_begin, free_count;
  uint64_t *due;
  uint32_t due_begin, due_count;
};

static uint64_t clock_now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

static uint64_t now(void) { return clock_now(CLOCK_MONOTONIC); }

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

static uint64_t since(uint64_t begin, uint64_t end) { return end > begin ? end - begin : 0; }

/* --- connections -------------------------------------------------------------------------- */

static void open_connection(struct generator *generator, struct connection *connection) {
  int one = 1;
  connection->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection->socket < 0) err(1, "socket");
  if (connect(connection->socket, (const struct sockaddr *)connection->target,
              sizeof *connection->target) != 0)
    err(1, "connect");
  setsockopt(connection->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  setsockopt(connection->socket, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
  if (epoll_ctl(generator->epoll, EPOLL_CTL_ADD, connection->socket, &event) != 0)
    err(1, "epoll_ctl");
  connection->answer.length = 0;
}

static void open_again(struct generator *generator, struct connection *connection) {
  close(connection->socket);
  generator->outcome->reconnects++;
  open_connection(generator, connection);
}

static void set_free(struct generator *generator, struct connection *connection) {
  uint32_t size = (uint32_t)generator->plan->connections;
  generator->free[(generator->free_begin + generator->free_count++) % size] = connection;
}

static struct connection *take_free(struct generator *generator) {
  struct connection *connection = generator->free[generator->free_begin];
  generator->free_begin = (generator->free_begin + 1) % (uint32_t)generator->plan->connections;
  generator->free_count--;
  return connection;
}

/* --- requests ----------------------------------------------------------------------------- */

static void send_step(struct generator *generator, struct connection *connection, uint64_t due) {
  const struct plan *plan = generator->plan;
  char request[REQUEST_BYTES_MAX];
  struct values values = {plan->unique_prefix, connection->unique, connection->captured};
  size_t length =
      step_render(&plan->steps[connection->step], &values, &generator->chance, request);
  connection->answer.length = 0;
  connection->sent_at = now();
  connection->counted_from = plan->rate > 0 ? due : connection->sent_at;
  histogram_add(&generator->outcome->lateness,
                since(later(due, connection->freed_at), connection->sent_at));
  generator->outcome->sent++;
  /* It fits into an empty buffer, so a partial write means that the connection is broken. The next
   * read, or the limit on the wait for an answer, finds that out. */
  if (send(connection->socket, request, length, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)length)
    shutdown(connection->socket, SHUT_RDWR);
}

static void begin_sequence(struct generator *generator, struct connection *connection,
                           uint64_t due) {
  generator->busy++;
  connection->busy = true;
  connection->step = 0;
  connection->unique = ++generator->sequences;
  send_step(generator, connection, due);
}

/* Begins the next sequence on a connection that has just become free, or lets it rest. */
static void go_on(struct generator *generator, struct connection *connection) {
  connection->busy = false;
  generator->busy--;
  if (generator->plan->rate > 0)
    set_free(generator, connection); /* `send_due` gives it work */
  else if (now() < generator->end)
    begin_sequence(generator, connection, connection->freed_at);
}

static void give_up(struct generator *generator, struct connection *connection) {
  generator->outcome->failed++;
  open_again(generator, connection);
  connection->freed_at = now();
  go_on(generator, connection);
}

/* Sends what has become due, as far as connections are free. */
static void send_due(struct generator *generator) {
  uint64_t until = now();
  if (until > generator->end) until = generator->end;
  while (generator->next_due <= until) {
    if (generator->due_count == DUE_MAX) errx(1, "more than %d requests wait", DUE_MAX);
    generator->due[(generator->due_begin + generator->due_count++) % DUE_MAX] = generator->next_due;
    double gap = -log(1 - chance_next(&generator->chance)) / generator->plan->rate;
    generator->next_due += (uint64_t)(gap * (double)SECOND);
  }
  while (generator->due_count > 0 && generator->free_count > 0) {
    uint64_t due = generator->due[generator->due_begin];
    generator->due_begin = (generator->due_begin + 1) % DUE_MAX;
    generator->due_count--;
    begin_sequence(generator, take_free(generator), due);
  }
}

/* --- answers ------------------------------------------------------------------------------ */

static void answered(struct generator *generator, struct connection *connection,
                     struct answer_facts facts, uint64_t arrived_at) {
  const struct plan *plan = generator->plan;
  struct outcome *outcome = generator->outcome;
  bool expected = facts.status == plan->steps[connection->step].expected_status;
  outcome->answered++;
  outcome->statuses[facts.status]++;
  outcome->failed += expected ? 0 : 1;
  outcome->in_time += arrived_at <= generator->end ? 1 : 0;
  histogram_add(&outcome->latency, since(connection->counted_from, arrived_at));
  connection->freed_at = arrived_at;
  if (facts.closes) open_again(generator, connection);
  if (expected && connection->step + 1 < plan->step_count) {
    if (plan->capture != NULL)
      answer_capture(&connection->answer, plan->capture, connection->captured,
                     sizeof connection->captured);
    connection->step++;
    send_step(generator, connection, arrived_at);
  } else {
    go_on(generator, connection);
  }
}

/* Returns when the kernel received what a read returned, or now if it does not tell. */
static uint64_t arrival(struct generator *generator, struct msghdr *message) {
  for (struct cmsghdr *one = CMSG_FIRSTHDR(message); one != NULL; one = CMSG_NXTHDR(message, one)) {
    if (one->cmsg_level == SOL_SOCKET && one->cmsg_type == SCM_TIMESTAMPNS) {
      struct timespec time;
      memcpy(&time, CMSG_DATA(one), sizeof time);
      generator->outcome->kernel_timed++;
      return (uint64_t)((int64_t)time.tv_sec * (int64_t)SECOND + time.tv_nsec +
                        generator->wall_offset);
    }
  }
  return now();
}

static void on_readable(struct generator *generator, struct connection *connection) {
  struct answer *answer = &connection->answer;
  char control[CMSG_SPACE(sizeof(struct timespec))];
  struct iovec room = {answer->bytes + answer->length, ANSWER_BYTES_MAX - answer->length};
  struct msghdr message = {
      .msg_iov = &room, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  ssize_t bytes = recvmsg(connection->socket, &message, MSG_DONTWAIT);
  if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (!connection->busy) {
    open_again(generator, connection); /* closed while it rested */
    return;
  }
  if (bytes <= 0) {
    give_up(generator, connection);
    return;
  }
  answer->length += (size_t)bytes;
  uint64_t arrived_at = arrival(generator, &message);
  struct answer_facts facts;
  switch (answer_parse(answer, &facts)) {
    case ANSWER_INCOMPLETE: break;
    case ANSWER_MALFORMED: give_up(generator, connection); break;
    case ANSWER_COMPLETE: answered(generator, connection, facts, arrived_at); break;
  }
}

static void give_up_late_answers(struct generator *generator) {
  uint64_t limit = (uint64_t)(generator->plan->answer_seconds_max * (double)SECOND);
  uint64_t time = now();
  for (int n = 0; n < generator->plan->connections; n++) {
    struct connection *connection = &generator->connections[n];
    if (connection->busy && since(connection->sent_at, time) > limit)
      give_up(generator, connection);
  }
}

/* --- the loop ----------------------------------------------------------------------------- */

/* Until something is due, but no longer than it may take to notice that an answer is late. */
static struct timespec pause_of(const struct generator *generator) {
  uint64_t pause = SECOND / 10;
  if (generator->plan->rate > 0 && generator->next_due <= generator->end) {
    uint64_t due_in = since(now(), generator->next_due);
    if (due_in < pause) pause = due_in;
  }
  return (struct timespec){(time_t)(pause / SECOND), (long)(pause % SECOND)};
}

static bool goes_on(const struct generator *generator, uint64_t time) {
  uint64_t limit = (uint64_t)(generator->plan->answer_seconds_max * (double)SECOND);
  bool to_send = generator->due_count > 0 ||
                 (generator->plan->rate > 0 && generator->next_due <= generator->end);
  return time < generator->end ||
         ((to_send || generator->busy > 0) && time < generator->end + limit);
}

static void run(struct generator *generator) {
  struct epoll_event events[EVENTS_MAX];
  uint64_t looked_at = now();
  while (goes_on(generator, now())) {
    if (generator->plan->rate > 0) send_due(generator);
    struct timespec pause = pause_of(generator);
    int count = epoll_pwait2(generator->epoll, events, EVENTS_MAX, &pause, NULL);
    if (count < 0 && errno != EINTR) err(1, "epoll_pwait2");
    generator->wall_offset = (int64_t)now() - (int64_t)clock_now(CLOCK_REALTIME);
    for (int n = 0; n < count; n++) on_readable(generator, events[n].data.ptr);
    if (since(looked_at, now()) > SECOND / 10) {
      looked_at = now();
      give_up_late_answers(generator);
    }
  }
}

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (memory == NULL) err(1, "calloc");
  return memory;
}

void generate(const struct plan *plan, struct outcome *outcome) {
  struct generator generator = {.plan = plan, .outcome = outcome};
  generator.connections = allocate((size_t)plan->connections, sizeof *generator.connections);
  generator.free = allocate((size_t)plan->connections, sizeof *generator.free);
  generator.due = allocate(DUE_MAX, sizeof *generator.due);
  generator.epoll = epoll_create1(EPOLL_CLOEXEC);
  if (generator.epoll < 0) err(1, "epoll_create1");
  chance_init(&generator.chance, plan->seed, plan->universe);
  for (int n = 0; n < plan->connections; n++) {
    generator.connections[n].target = &plan->targets[n % plan->target_count];
    open_connection(&generator, &generator.connections[n]);
  }

  /* The kernel begins to tell the times of arrivals a moment after the first socket asks for it. */
  nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);

  uint64_t begin = now();
  generator.end = begin + (uint64_t)(plan->seconds * (double)SECOND);
  generator.next_due = begin;
  for (int n = 0; n < plan->connections; n++) {
    struct connection *connection = &generator.connections[n];
    connection->freed_at = begin;
    if (plan->rate > 0)
      set_free(&generator, connection);
    else
      begin_sequence(&generator, connection, now());
  }
  run(&generator);
  outcome->unsent = generator.due_count;
  outcome->failed += generator.due_count + (uint64_t)generator.busy;
}

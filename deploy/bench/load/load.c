/* Sends HTTP/1.1 requests to the loopback interface and says how they were answered, in JSON.
 * `load --help` lists the options; template.h says what a request may contain. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>

#include "generator.h"

static const char usage[] =
    "load --target PORT ... --step \"STATUS METHOD PATH [BODY]\" ... [OPTION ...]\n"
    "  --target PORT       of a server on 127.0.0.1; more than one share the connections\n"
    "  --step STEP         a request and the status that it should get; several are a sequence\n"
    "  --connections N     each with one request at a time (1)\n"
    "  --seconds S         for which requests are sent (1)\n"
    "  --rate R            sequences a second, at random moments (a Poisson process); without it a\n"
    "                      connection sends again as soon as it is answered\n"
    "  --capture MEMBER    of a JSON answer, which the next step gets as {captured}\n"
    "  --universe N        the largest {uniform} and {zipf} (1000)\n"
    "  --unique PREFIX     of {unique} (u)\n"
    "  --seed N            of the random numbers (random)\n"
    "  --wait-max S        how long an answer may take (10)\n";

static double number(const char *text, double min, double max) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end != '\0' || !(value >= min && value <= max))
    errx(1, "%s is not a number between %g and %g", text, min, max);
  return value;
}

static void parse(struct plan *plan, int count, char **arguments) {
  static const struct option options[] = {
      {"target", 1, NULL, 't'},  {"step", 1, NULL, 's'},    {"connections", 1, NULL, 'c'},
      {"seconds", 1, NULL, 'd'}, {"rate", 1, NULL, 'r'},    {"capture", 1, NULL, 'p'},
      {"universe", 1, NULL, 'u'}, {"unique", 1, NULL, 'i'}, {"seed", 1, NULL, 'x'},
      {"wait-max", 1, NULL, 'w'}, {"help", 0, NULL, 'h'},   {NULL, 0, NULL, 0}};
  for (int option; (option = getopt_long(count, arguments, "", options, NULL)) != -1;) {
    switch (option) {
      case 't':
        if (plan->target_count == TARGETS_MAX) errx(1, "more than %d targets", TARGETS_MAX);
        plan->targets[plan->target_count++] =
            (struct sockaddr_in){.sin_family = AF_INET,
                                 .sin_port = htons((uint16_t)number(optarg, 1, 65535)),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        break;
      case 's':
        if (plan->step_count == STEPS_MAX) errx(1, "more than %d steps", STEPS_MAX);
        step_parse(&plan->steps[plan->step_count++], optarg);
        break;
      case 'c': plan->connections = (int)number(optarg, 1, CONNECTIONS_MAX); break;
      case 'd': plan->seconds = number(optarg, 0.01, 86400); break;
      case 'r': plan->rate = number(optarg, 0.01, 1e6); break;
      case 'p': plan->capture = optarg; break;
      case 'u': plan->universe = (uint32_t)number(optarg, 1, 1e6); break;
      case 'i': plan->unique_prefix = optarg; break;
      case 'x': plan->seed = (uint64_t)number(optarg, 0, 1e15); break;
      case 'w': plan->answer_seconds_max = number(optarg, 0.01, 600); break;
      case 'h': fputs(usage, stdout); exit(0);
      default: fputs(usage, stderr); exit(2);
    }
  }
  if (optind < count || plan->target_count == 0 || plan->step_count == 0) {
    fputs(usage, stderr);
    exit(2);
  }
}

static double cpu_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void print_histogram(const char *name, const struct histogram *histogram) {
  printf(",\"%s\":{", name);
  static const struct { const char *name; double share; } percentiles[] = {
      {"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p999", 0.999}};
  for (size_t n = 0; n < sizeof percentiles / sizeof *percentiles; n++)
    printf("\"%s\":%.3f,", percentiles[n].name,
           (double)histogram_percentile(histogram, percentiles[n].share) / 1e3);
  printf("\"max\":%.3f}", (double)histogram->max / 1e3);
}

static void print(const struct plan *plan, const struct outcome *outcome) {
  printf("{\"seconds\":%.3f,\"sent\":%" PRIu64 ",\"answered\":%" PRIu64 ",\"in_time\":%" PRIu64,
         plan->seconds, outcome->sent, outcome->answered, outcome->in_time);
  printf(",\"failed\":%" PRIu64 ",\"unsent\":%" PRIu64 ",\"reconnects\":%" PRIu64
         ",\"kernel_timed\":%" PRIu64 ",\"statuses\":{",
         outcome->failed, outcome->unsent, outcome->reconnects, outcome->kernel_timed);
  const char *comma = "";
  for (int status = 0; status <= STATUS_MAX; status++) {
    if (outcome->statuses[status] == 0) continue;
    printf("%s\"%d\":%" PRIu64, comma, status, outcome->statuses[status]);
    comma = ",";
  }
  printf("}");
  print_histogram("latency_us", &outcome->latency);
  print_histogram("late_us", &outcome->lateness);
  printf(",\"cpu_seconds\":%.6f}\n", cpu_seconds());
}

int main(int count, char **arguments) {
  static struct outcome outcome;
  static struct plan plan = {.connections = 1, .seconds = 1, .universe = 1000,
                             .unique_prefix = "u", .answer_seconds_max = 10};
  if (getrandom(&plan.seed, sizeof plan.seed, 0) != sizeof plan.seed) err(1, "getrandom");
  parse(&plan, count, arguments);
  prctl(PR_SET_TIMERSLACK, 1); /* by default a pause may take 50 microseconds longer */
  generate(&plan, &outcome);
  print(&plan, &outcome);
}

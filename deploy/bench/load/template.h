#ifndef TEMPLATE_H
#define TEMPLATE_H

#include <stddef.h>
#include <stdint.h>

enum { PIECES_MAX = 16, REQUEST_BYTES_MAX = 2048, CAPTURED_BYTES_MAX = 64 };

/* Text with placeholders:
 *   {unique}   differs for each sequence of requests, and is the same within one
 *   {uniform}  a number between 1 and the universe, all equally likely
 *   {zipf}     a number between 1 and the universe, the n-th of them 1/n as likely as the first
 *   {captured} what --capture found in the answer before */
struct template {
  struct piece {
    enum { LITERAL, UNIQUE, UNIFORM, ZIPF, CAPTURED } kind;
    const char *text;
    size_t length;
  } pieces[PIECES_MAX];
  int count;
};

/* One request of a sequence: "STATUS METHOD PATH [BODY]". */
struct step {
  int expected_status;
  char method[8];
  struct template path, body;
};

/* What fills the placeholders. */
struct values {
  const char *unique_prefix;
  uint64_t unique;
  const char *captured;
};

/* Where random numbers come from; one for each process. */
struct chance {
  uint64_t state;
  uint32_t universe;
  double *zipf_sums; /* [n] is the sum of 1/1 ... 1/(n+1) */
};

void chance_init(struct chance *chance, uint64_t seed, uint32_t universe);

/* Returns a number in [0, 1). */
double chance_next(struct chance *chance);

/* Parses a step; ends the process with a message if it is malformed. */
void step_parse(struct step *step, char *text);

/* Writes the request and returns its length; ends the process if it is longer than the buffer. */
size_t step_render(const struct step *step, const struct values *values, struct chance *chance,
                   char out[REQUEST_BYTES_MAX]);

#endif

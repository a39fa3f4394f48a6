#include "template.h"

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SplitMix64: https://prng.di.unimi.it/splitmix64.c */
static uint64_t random_bits(struct chance *chance) {
  uint64_t z = (chance->state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

double chance_next(struct chance *chance) {
  return (double)(random_bits(chance) >> 11) * 0x1p-53;
}

void chance_init(struct chance *chance, uint64_t seed, uint32_t universe) {
  chance->state = seed;
  chance->universe = universe;
  chance->zipf_sums = calloc(universe, sizeof(double));
  if (chance->zipf_sums == NULL) err(1, "calloc");
  double sum = 0;
  for (uint32_t n = 0; n < universe; n++) chance->zipf_sums[n] = sum += 1.0 / (n + 1);
}

static uint32_t uniform(struct chance *chance) {
  return 1 + (uint32_t)(chance_next(chance) * chance->universe);
}

static uint32_t zipf(struct chance *chance) {
  double target = chance_next(chance) * chance->zipf_sums[chance->universe - 1];
  uint32_t low = 0, high = chance->universe - 1;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (chance->zipf_sums[middle] < target) low = middle + 1; else high = middle;
  }
  return low + 1;
}

static void add_piece(struct template *template, int kind, const char *text, size_t length) {
  if (kind == LITERAL && length == 0) return;
  if (template->count == PIECES_MAX) errx(1, "more than %d pieces in a request", PIECES_MAX);
  template->pieces[template->count++] = (struct piece){kind, text, length};
}

static void template_parse(struct template *template, const char *text) {
  static const struct { const char *name; int kind; } placeholders[] = {
      {"{unique}", UNIQUE}, {"{uniform}", UNIFORM}, {"{zipf}", ZIPF}, {"{captured}", CAPTURED}};
  const char *literal = text, *at = text;
  template->count = 0;
  while (*at != '\0') {
    size_t matched = 0;
    for (size_t n = 0; n < sizeof placeholders / sizeof *placeholders && matched == 0; n++) {
      size_t length = strlen(placeholders[n].name);
      if (strncmp(at, placeholders[n].name, length) == 0) {
        add_piece(template, LITERAL, literal, (size_t)(at - literal));
        add_piece(template, placeholders[n].kind, NULL, 0);
        matched = length;
      }
    }
    at += matched > 0 ? matched : 1;
    if (matched > 0) literal = at;
  }
  add_piece(template, LITERAL, literal, (size_t)(at - literal));
}

void step_parse(struct step *step, char *text) {
  char *rest = text;
  const char *status = strsep(&rest, " "), *method = strsep(&rest, " "), *path = strsep(&rest, " ");
  if (path == NULL || path[0] != '/' || strlen(method) >= sizeof step->method)
    errx(1, "a step is \"STATUS METHOD PATH [BODY]\"");
  step->expected_status = atoi(status);
  if (step->expected_status < 100 || step->expected_status > 599) errx(1, "no status: %s", status);
  strcpy(step->method, method);
  template_parse(&step->path, path);
  template_parse(&step->body, rest == NULL ? "" : rest);
}

static size_t append(char *out, size_t length, const char *text, size_t bytes) {
  if (length + bytes >= REQUEST_BYTES_MAX)
    errx(1, "a request of more than %d bytes", REQUEST_BYTES_MAX);
  memcpy(out + length, text, bytes);
  return length + bytes;
}

static size_t append_text(char *out, size_t length, const char *text) {
  return append(out, length, text, strlen(text));
}

static size_t append_number(char *out, size_t length, uint64_t number) {
  char digits[24];
  snprintf(digits, sizeof digits, "%" PRIu64, number);
  return append_text(out, length, digits);
}

static size_t template_render(const struct template *template, const struct values *values,
                              struct chance *chance, char *out, size_t length) {
  for (int n = 0; n < template->count; n++) {
    const struct piece *piece = &template->pieces[n];
    switch (piece->kind) {
      case LITERAL: length = append(out, length, piece->text, piece->length); break;
      case UNIQUE:
        length = append_text(out, length, values->unique_prefix);
        length = append_number(out, length, values->unique);
        break;
      case UNIFORM: length = append_number(out, length, uniform(chance)); break;
      case ZIPF: length = append_number(out, length, zipf(chance)); break;
      case CAPTURED: length = append_text(out, length, values->captured); break;
    }
  }
  return length;
}

size_t step_render(const struct step *step, const struct values *values, struct chance *chance,
                   char out[REQUEST_BYTES_MAX]) {
  size_t length = append_text(out, 0, step->method);
  length = append_text(out, length, " ");
  length = template_render(&step->path, values, chance, out, length);
  length = append_text(out, length, " HTTP/1.1\r\nHost: localhost\r\n");
  if (step->body.count > 0) {
    char body[REQUEST_BYTES_MAX];
    size_t bytes = template_render(&step->body, values, chance, body, 0);
    length = append_text(out, length, "Content-Type: application/json\r\nContent-Length: ");
    length = append_number(out, length, bytes);
    length = append_text(out, length, "\r\n\r\n");
    return append(out, length, body, bytes);
  }
  return append_text(out, length, "\r\n");
}

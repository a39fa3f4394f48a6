#define _GNU_SOURCE
#include "answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Returns the value of a header, or NULL. `end` is the empty line after the headers. */
static const char *header(const char *headers, const char *end, const char *name) {
  size_t length = strlen(name);
  for (const char *line = headers; line < end;) {
    if (strncasecmp(line, name, length) == 0 && line[length] == ':') {
      const char *value = line + length + 1;
      return value + strspn(value, " \t");
    }
    line = strstr(line, "\r\n");
    if (line == NULL) return NULL;
    line += 2;
  }
  return NULL;
}

/* Returns how many bytes a chunked body takes, 0 if it is not complete, -1 if it is malformed.
 * Trailers are malformed here: no server of ours sends any. */
static long chunked_length(const char *body, const char *end) {
  const char *at = body;
  for (;;) {
    const char *line_end = memmem(at, (size_t)(end - at), "\r\n", 2);
    if (line_end == NULL) return 0;
    char *digits_end;
    unsigned long size = strtoul(at, &digits_end, 16);
    if (digits_end == at || size > ANSWER_BYTES_MAX) return -1;
    const char *next = line_end + 2 + size + 2;
    if (next > end) return 0;
    if (memcmp(next - 2, "\r\n", 2) != 0) return -1;
    if (size == 0) return next - body;
    at = next;
  }
}

enum answer_state answer_parse(struct answer *answer, struct answer_facts *facts) {
  answer->bytes[answer->length] = '\0';
  char *head_end = strstr(answer->bytes, "\r\n\r\n");
  if (head_end == NULL)
    return answer->length == ANSWER_BYTES_MAX ? ANSWER_MALFORMED : ANSWER_INCOMPLETE;
  if (sscanf(answer->bytes, "HTTP/1.1 %3d", &facts->status) != 1 || facts->status < 200 ||
      facts->status > 599)
    return ANSWER_MALFORMED;
  const char *body = head_end + 4, *end = answer->bytes + answer->length;
  const char *length_text = header(answer->bytes, head_end, "Content-Length");
  const char *coding = header(answer->bytes, head_end, "Transfer-Encoding");
  const char *connection = header(answer->bytes, head_end, "Connection");
  facts->closes = connection != NULL && strncasecmp(connection, "close", 5) == 0;
  long expected = 0;
  if (coding != NULL && strncasecmp(coding, "chunked", 7) == 0) {
    expected = chunked_length(body, end);
    if (expected == 0)
      return answer->length == ANSWER_BYTES_MAX ? ANSWER_MALFORMED : ANSWER_INCOMPLETE;
  } else if (length_text != NULL) {
    expected = strtol(length_text, NULL, 10);
  } else if (facts->status != 204 && facts->status != 304) {
    return ANSWER_MALFORMED;
  }
  long arrived = end - body;
  if (expected < 0 || expected > ANSWER_BYTES_MAX || arrived > expected) return ANSWER_MALFORMED;
  if (arrived == expected) return ANSWER_COMPLETE;
  return answer->length == ANSWER_BYTES_MAX ? ANSWER_MALFORMED : ANSWER_INCOMPLETE;
}

void answer_capture(const struct answer *answer, const char *member, char *out, size_t size) {
  char opening[64];
  out[0] = '\0';
  int bytes = snprintf(opening, sizeof opening, "\"%s\":\"", member);
  if (bytes < 0 || bytes >= (int)sizeof opening) return;
  const char *value = strstr(answer->bytes, opening);
  if (value == NULL) return;
  value += bytes;
  size_t length = strcspn(value, "\"");
  if (value[length] != '"' || length >= size) return;
  memcpy(out, value, length);
  out[length] = '\0';
}

#ifndef ANSWER_H
#define ANSWER_H

#include <stdbool.h>
#include <stddef.h>

enum { ANSWER_BYTES_MAX = 16384 };

/* An HTTP/1.1 answer, as far as it has arrived. */
struct answer {
  char bytes[ANSWER_BYTES_MAX + 1]; /* with room for a terminating zero */
  size_t length;
};

enum answer_state { ANSWER_INCOMPLETE, ANSWER_COMPLETE, ANSWER_MALFORMED };

/* What a complete answer says. */
struct answer_facts {
  int status;
  bool closes; /* the server closes the connection after it */
};

/* Reads what has arrived. An answer that is longer than the buffer, or followed by bytes that
 * nobody asked for, is malformed. */
enum answer_state answer_parse(struct answer *answer, struct answer_facts *facts);

/* Copies the text of a string member of the JSON body, "" if there is none or it does not fit. */
void answer_capture(const struct answer *answer, const char *member, char *out, size_t size);

#endif

/* A library to preload: makes every flush to disk of a program take 2 ms longer, as on a network disk.
 * For PostgreSQL its own commit_delay does that. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static int slowly(const char *name, int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  struct timespec pause = {0, 2000000};
  nanosleep(&pause, NULL);
  return real(file);
}

int fsync(int file) { return slowly("fsync", file); }

int fdatasync(int file) { return slowly("fdatasync", file); }

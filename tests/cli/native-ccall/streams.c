/* Variables of the C library, used in place, also by their other names. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern char **environ, **__environ;
static FILE **const streams[] = { &stdout, &stderr };
int64_t told(void) {
  char **entry;
  fputs("by a pointer\n", *streams[0]);
  fflush(stdout);
  fputs("in place\n", stderr);
  /* The library moves its table of variables. */
  setenv("CLEAVE_TOLD", "1", 1);
  for (entry = environ; *entry; entry++)
    if (!strcmp(*entry, "CLEAVE_TOLD=1")) return environ == __environ && &environ == &__environ;
  return 0; }

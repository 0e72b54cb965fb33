/* Variables of Clean's run-time system, one that each file has room for, and text with an address of 32 bits. */
#include <stdint.h>
#include <string.h>
extern int return_code, global_argc;
extern char **global_argv;
int64_t shared_count;
int64_t status_length(void) {
  const char *volatile four = "four";
  return_code = 3;
  shared_count += 40;
  return shared_count + strlen(global_argv[global_argc - 1]) + strlen(four); }

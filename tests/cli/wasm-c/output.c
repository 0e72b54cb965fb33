// Compiled: clang --target=wasm32 -O1 -c output.c -o output.wasm
// A second object: it refers to the first, has names of its own, calls the host, and has work to do at the end, as a C
// library with buffered output has.
#include <stddef.h>
struct piece { const void *address; size_t length; };
__attribute__((import_module("wasi_snapshot_preview1"), import_name("fd_write")))
int host_write(int file, const struct piece *pieces, int count, size_t *written);
__attribute__((import_module("wasi_snapshot_preview1"), import_name("sched_yield"))) int host_yield(void);

static char buffer[100];
static size_t used;
extern int return_code;
extern long constructed(void);

__attribute__((noinline)) void __stdio_write(char c) { buffer[used++ % sizeof buffer] = c; }
void __stdio_exit(void) { struct piece piece = { buffer, used }; size_t written; host_write(1, &piece, 1, &written); used = 0; }

// The first object has a function of this name, too.
long nothing(void) { return 1000; }
long put(char *text, long n) {
  for (long i = 0; i < n; i++) __stdio_write(text[i]);
  return host_yield() + nothing() + constructed();
}
void status(long code) { return_code = code; }

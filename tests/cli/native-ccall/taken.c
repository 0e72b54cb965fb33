#include <sys/mman.h>
__attribute__((constructor)) static void take(void) {
  mmap((void *) 0x10000000, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0); }

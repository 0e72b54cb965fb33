#include <stdint.h>
#include <stdlib.h>
#include <errno.h>
static int64_t calls;
static const int64_t factors[] = { 1, 2, 3 };
static int64_t (*const table[])(int64_t) = { 0, labs };
int64_t plain_twice(int64_t n) { errno = 0; calls++; return table[calls](n) * factors[calls]; }

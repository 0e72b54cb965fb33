/* What calls of `calls.sam` cost in C: lines of a row of the table and a number, of processor time. */
#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BYTES = 10 << 20, ROUNDS = 20 };

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

#define LEAST(best, call)                                          \
    double best = 1e9;                                             \
    for (int round = 0; round < ROUNDS; round++) {                 \
        double begin = seconds();                                  \
        if ((call) != CALLS_OK) return puts(calls_error());        \
        double took = seconds() - begin;                           \
        calls_free();                                              \
        if (took < best) best = took;                              \
    }

static int many(int32_t *n) {
    for (int i = 0; i < 100000; i++) {
        if (calls_add(i, 2, n) != CALLS_OK) return CALLS_FAILED;
    }
    return CALLS_OK;
}

int main(void) {
    int32_t n, *list = malloc(BYTES);
    char *text = malloc(BYTES);
    calls_string_t echo;
    calls_list_s32_t numbers;
    memset(text, 'x', BYTES);
    for (int i = 0; i < BYTES / 4; i++) list[i] = i & 1023;
    LEAST(add, many(&n));
    LEAST(length, calls_length(text, BYTES, &n));
    LEAST(same, calls_echo(text, BYTES, &echo));
    LEAST(sum, calls_sum(list, BYTES / 4, &n));
    LEAST(made, calls_numbers(BYTES / 4, &numbers));
    printf("add %.1f ns\n", add * 1e4);
    printf("length %.2f GB/s\necho %.2f GB/s\n", BYTES / length * 1e-9, BYTES / same * 1e-9);
    printf("sum %.2f GB/s\nnumbers %.2f GB/s\n", BYTES / sum * 1e-9, BYTES / made * 1e-9);
    return 0;
}

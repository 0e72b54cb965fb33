/* What functions as values of `functions.sam` cost in C. */
#include "functions.h"

#include <stdio.h>
#include <time.h>

enum { MANY = 100000, ROUNDS = 20 };

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static int next(void *context, int32_t n, int32_t *result) {
    *result = n + *(int32_t *)context;
    return 0;
}

#define LEAST(name, ...)                                                     \
    {                                                                        \
        double best = 1e9;                                                   \
        for (int round = 0; round < ROUNDS; round++) {                       \
            double begin = seconds();                                        \
            __VA_ARGS__                                                      \
            double took = seconds() - begin;                                 \
            if (took < best) best = took;                                    \
        }                                                                    \
        printf(name " %.1f ns\n", best / MANY * 1e9);                        \
    }

int main(void) {
    int32_t n = 0, one = 1;
    functions_function_s32_to_s32_t add, mine, made;
    if (functions_adder(1, &add) != FUNCTIONS_OK) return puts(functions_error());
    if (functions_function_s32_to_s32_new(next, &one, NULL, &mine) != FUNCTIONS_OK) return puts(functions_error());
    LEAST("function", for (int i = 0; i < MANY; i++) functions_function_s32_to_s32_call(add, i, &n);)
    LEAST("callback", functions_times(mine, MANY, 0, &n);)
    LEAST("handle", for (int i = 0; i < MANY; i++) functions_adder(i, &made), functions_drop(made);)
    return 0;
}

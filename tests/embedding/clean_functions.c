// Functions of Clean that C has, and of C that Clean has: lazy, in parts, in data; with errors on the way.
#include "clean.h"
#define LAST_ERROR clean_error
#include "check.h"
#include <string.h>

static int triple(void *context, int64_t n, int64_t *result) {
    *(int *)context += 1;
    *result = 3 * n;
    return 0;
}

static int pair(void *context, int64_t a, int64_t b, int64_t *result) {
    (void)context;
    *result = a * 10 + b;
    return 0;
}

// Calls the program, which calls this function while the result of the outer call is being written.
static clean_function_s64_to_s64_t again;
static int nested(void *context, int64_t n, int64_t *result) {
    (void)context;
    int64_t numbers[] = {n - 1, n - 2};
    clean_list_s64_t list;
    if (n < 2) {
        *result = 1;
        return 0;
    }
    if (clean_each(again, numbers, 2, &list) != CLEAN_OK) return 1;
    *result = list.data[0] + list.data[1];
    return 0;
}

static int refuse(void *context, int64_t n, int64_t *result) {
    (void)context, (void)n, (void)result;
    return -1;
}

int main(void) {
    int64_t number, numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    clean_list_s64_t list;
    for (int round = 0; round < 20; round++) {
        clean_function_s64_to_s64_t add, twice, mine;
        int calls = 0;
        CHECK(clean_adder(40, &add) == CLEAN_OK && clean_function_s64_to_s64_call(add, 2, &number) == CLEAN_OK && number == 42);
        CHECK(clean_function_s64_to_s64_new(triple, &calls, NULL, &mine) == CLEAN_OK && clean_twice(mine, &twice) == CLEAN_OK);
        CHECK(clean_drop(mine) == CLEAN_OK && calls == 0);
        CHECK(clean_each(twice, numbers, 10, &list) == CLEAN_OK && list.length == 10 && list.data[9] == 90);
        CHECK(calls == 20 && clean_apply(twice, 1, &number) == CLEAN_OK && number == 9);
        CHECK(clean_drop(add) == CLEAN_OK && clean_drop(twice) == CLEAN_OK);
        clean_function_s64_s64_to_s64_t both;
        CHECK(clean_function_s64_s64_to_s64_new(pair, NULL, NULL, &both) == CLEAN_OK && clean_partly(both, 1, 2, &number) == CLEAN_OK && number == 12);
        CHECK(clean_drop(both) == CLEAN_OK);
        CHECK(clean_function_s64_to_s64_new(nested, NULL, NULL, &again) == CLEAN_OK && clean_each(again, numbers, 10, &list) == CLEAN_OK);
        CHECK(list.length == 10 && list.data[9] == 89 && clean_drop(again) == CLEAN_OK && clean_free() == CLEAN_OK);
    }
    clean_function_s64_to_s64_t mine;
    CHECK(clean_function_s64_to_s64_new(refuse, NULL, NULL, &mine) == CLEAN_OK && clean_each(mine, numbers, 10, &list) == CLEAN_FAILED);
    CHECK(strcmp(clean_error(), "A function of the host has failed.") == 0);
    CHECK(clean_apply(mine, 1, &number) == CLEAN_FAILED && strstr(clean_error(), "does not exist"));
    CHECK(clean_constant(&mine) == CLEAN_OK && clean_function_s64_to_s64_call(mine, 1, &number) == CLEAN_OK && number == 8);
    puts("ok");
    return 0;
}

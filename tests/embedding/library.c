/*
 * Calls `library.sam` from C: all types there and back, errors, hostile use, memory. Prints `ok`.
 */
#define _GNU_SOURCE
#include "lib.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(condition)                                                                   \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            printf("line %d: %s; the last error: %s\n", __LINE__, #condition, lib_error()); \
            exit(1);                                                                       \
        }                                                                                  \
    } while (0)

static bool is(lib_string_t text, const char *expected) {
    return text.length == strlen(expected) && memcmp(text.data, expected, text.length) == 0;
}

static lib_string_t of(const char *text) {
    lib_string_t string = {text, strlen(text)};
    return string;
}

static void numbers(void) {
    int32_t n = 0;
    CHECK(lib_add(40, 2, &n) == LIB_OK && n == 42);
    CHECK(lib_add(INT32_MAX, 1, &n) == LIB_OK && n == INT32_MIN);
    CHECK(lib_many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, &n) == LIB_OK && n == 210);
    CHECK(lib_number("-123", 4, &n) == LIB_OK && n == -123);
    lib_colour_t colour = LIB_COLOUR_RED;
    CHECK(lib_next(LIB_COLOUR_GREEN, &colour) == LIB_OK && colour == LIB_COLOUR_BLUE);
    bool is_red = false;
    CHECK(lib_is_red(LIB_COLOUR_RED, &is_red) == LIB_OK && is_red);
    CHECK(lib_is_red(LIB_COLOUR_BLUE, &is_red) == LIB_OK && !is_red);
}

static void data(void) {
    lib_string_t text;
    CHECK(lib_greet("World", 5, &text) == LIB_OK && is(text, "Hello, World!"));
    CHECK(lib_greet("gr\xc3\xbc\xc3\x9f" "e, 12345678", 17, &text) == LIB_OK && is(text, "Hello, gr\xc3\xbc\xc3\x9f" "e, 12345678!"));
    CHECK(lib_greet(NULL, 0, &text) == LIB_OK && is(text, "Hello, !"));
    int32_t list[1000], sum = 0, n;
    for (int i = 0; i < 1000; i++) sum += list[i] = i * i - 7;
    CHECK(lib_sum(list, 1000, &n) == LIB_OK && n == sum);
    CHECK(lib_sum(NULL, 0, &n) == LIB_OK && n == 0);
    lib_list_s32_t counted;
    CHECK(lib_numbers(4, &counted) == LIB_OK && counted.length == 4);
    CHECK(counted.data[0] == 4 && counted.data[3] == 1);
    lib_point_t point = {3, of("three")}, moved;
    CHECK(lib_move(&point, 4, &moved) == LIB_OK && moved.x == 7 && is(moved.label, "three"));
    /* A result as an argument, and a result at the place of the argument. */
    CHECK(lib_move(&moved, 1, &moved) == LIB_OK && moved.x == 8 && is(moved.label, "three"));
    lib_shape_t shape = {.tag = LIB_SHAPE_DOT}, turned;
    CHECK(lib_turn(&shape, &turned) == LIB_OK && turned.tag == LIB_SHAPE_DOT);
    shape.tag = LIB_SHAPE_CIRCLE;
    shape.value.circle.f0 = point;
    shape.value.circle.f1 = 9;
    CHECK(lib_turn(&shape, &turned) == LIB_OK && turned.tag == LIB_SHAPE_CIRCLE);
    CHECK(turned.value.circle.f1 == 10 && is(turned.value.circle.f0.label, "three"));
    shape.tag = LIB_SHAPE_LINE;
    shape.value.line.f0 = point;
    shape.value.line.f1 = moved;
    CHECK(lib_turn(&shape, &turned) == LIB_OK && turned.tag == LIB_SHAPE_LINE);
    CHECK(turned.value.line.f0.x == 8 && turned.value.line.f1.x == 3);
    lib_option_s32_t half;
    CHECK(lib_half(84, &half) == LIB_OK && half.is_some && half.value == 42);
    CHECK(lib_half(7, &half) == LIB_OK && !half.is_some);
    lib_result_s32_string_t divided;
    CHECK(lib_divide(7, 2, &divided) == LIB_OK && !divided.is_err && divided.value.ok == 3);
    CHECK(lib_divide(7, 0, &divided) == LIB_OK && divided.is_err && is(divided.value.err, "division by zero"));
    lib_result_none_string_t verified;
    CHECK(lib_verify(1, &verified) == LIB_OK && !verified.is_err);
    CHECK(lib_verify(-1, &verified) == LIB_OK && verified.is_err && is(verified.value.err, "negative"));
    lib_string_t texts[] = {of("1"), of("20"), of("-300")};
    lib_list_tuple_string_s32_t pairs;
    CHECK(lib_pairs(texts, 3, &pairs) == LIB_OK && pairs.length == 3);
    CHECK(pairs.data[2].f1 == -300 && is(pairs.data[2].f0, "-300") && is(pairs.data[0].f0, "1"));
    lib_option_option_s32_t nested = {true, {true, 5}}, same;
    CHECK(lib_nested(&nested, &same) == LIB_OK && same.is_some && same.value.is_some && same.value.value == 5);
    nested.value.is_some = false;
    CHECK(lib_nested(&nested, &same) == LIB_OK && same.is_some && !same.value.is_some);
    CHECK(lib_free() == LIB_OK);
}

static int says(const char *wanted) { return strcmp(lib_error(), wanted) == 0; }

/* After each error the library goes on; results from before it are still there. */
static void errors(void) {
    lib_string_t before, text;
    CHECK(lib_greet("before", 6, &before) == LIB_OK);
    CHECK(lib_fail("It broke.", 9) == LIB_FAILED && strcmp(lib_error(), "It broke.") == 0);
    CHECK(is(before, "Hello, before!"));
    CHECK(lib_greet("after", 5, &text) == LIB_OK && is(text, "Hello, after!") && is(before, "Hello, before!"));
    /* The stack of the program ends, not that of this one. */
    lib_list_s32_t list;
    CHECK(lib_numbers(100000000, &list) == LIB_FAILED);
    CHECK(strncmp(lib_error(), "Stack overflow.", 15) == 0 || strncmp(lib_error(), "Heap full.", 10) == 0);
    CHECK(lib_greet("again", 5, &text) == LIB_OK && is(text, "Hello, again!"));
    CHECK(lib_free() == LIB_OK);
}

/* Arguments that are none: the error says which one, and why. */
static void lies(void) {
    lib_string_t text;
    int32_t n;
    lib_shape_t shape = {.tag = 3};
    lib_colour_t colour;
    CHECK(lib_greet("\xff", 1, &text) == LIB_FAILED && says("greet: argument 1 (\"name\"): a text that is not UTF-8"));
    CHECK(lib_greet(NULL, 3, &text) == LIB_FAILED && says("greet: argument 1 (\"name\"): NULL"));
    lib_string_t texts[] = {of("1"), {"\xc3", 1}};
    lib_list_tuple_string_s32_t pairs;
    CHECK(lib_pairs(texts, 2, &pairs) == LIB_FAILED && strstr(lib_error(), "argument 1") && strstr(lib_error(), "UTF-8"));
    texts[1] = (lib_string_t){NULL, 1};
    CHECK(lib_pairs(texts, 2, &pairs) == LIB_FAILED && strstr(lib_error(), "NULL"));
    CHECK(lib_greet(NULL, 0, &text) == LIB_OK && is(text, "Hello, !"));
    lib_option_option_s32_t nested = {true, {true, 5}};
    memset(&nested.value.is_some, 7, 1);
    CHECK(lib_nested(&nested, &nested) == LIB_FAILED && strstr(lib_error(), "a case that does not exist"));
    CHECK(lib_greet("x", SIZE_MAX, &text) == LIB_FAILED && strstr(lib_error(), "too large"));
    CHECK(lib_sum(&n, SIZE_MAX / 4 + 1, &n) == LIB_FAILED && strstr(lib_error(), "too large"));
    CHECK(lib_turn(&shape, &shape) == LIB_FAILED && strstr(lib_error(), "case"));
    CHECK(lib_turn(NULL, &shape) == LIB_FAILED && strstr(lib_error(), "NULL"));
    CHECK(lib_next(3, &colour) == LIB_FAILED && strstr(lib_error(), "case"));
    CHECK(lib_greet("x", 1, NULL) == LIB_FAILED && says("greet: the result: NULL"));
    CHECK(lib_greet("well", 4, &text) == LIB_OK && is(text, "Hello, well!"));
}

static long resident(void) {
    long pages = 0, size = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%ld %ld", &size, &pages) == 2);
    fclose(file);
    return pages * 4;
}

/* Memory stays as it is over many calls. */
static void memory(void) {
    char *large = malloc(1 << 20);
    int32_t *list = malloc(sizeof(int32_t) << 18), n;
    memset(large, 'x', 1 << 20);
    memset(list, 0, sizeof(int32_t) << 18);
    long kilobytes = 0;
    for (int round = 0; round < 300; round++) {
        lib_string_t text;
        CHECK(lib_greet(large, 1 << 20, &text) == LIB_OK && text.length == (1 << 20) + 8);
        CHECK(lib_sum(list, 1 << 18, &n) == LIB_OK && n == 0);
        CHECK(lib_free() == LIB_OK);
        if (round == 100) kilobytes = resident();
    }
    CHECK(resident() < kilobytes + 8192);
    /* Results that nobody frees are an error some day, and gone after `lib_free`. */
    int status = LIB_OK, rounds = 0;
    lib_string_t text;
    while (status == LIB_OK && rounds++ < 1000) status = lib_greet(large, 1 << 20, &text);
    CHECK(status == LIB_FAILED && rounds > 200 && strstr(lib_error(), "not freed"));
    CHECK(lib_free() == LIB_OK && lib_greet("x", 1, &text) == LIB_OK && is(text, "Hello, x!"));
    CHECK(resident() < kilobytes + 65536);
    free(large);
    free(list);
}

static void *call_in_thread(void *done) {
    for (int round = 0; round < 2000; round++) {
        lib_string_t text;
        char name[16];
        snprintf(name, sizeof name, "%d", round);
        int status = lib_greet(name, strlen(name), &text);
        CHECK(status == LIB_OK || status == LIB_BUSY);
        *(int *)done += status == LIB_OK;
    }
    return NULL;
}

/* Any thread may call, one at a time. */
static void threads(void) {
    pthread_t threads[4];
    int done[4] = {0};
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, call_in_thread, &done[i]) == 0);
    for (int i = 0; i < 4; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    int all = 0;
    for (int i = 0; i < 4; i++) all += done[i];
    CHECK(all > 0);
    CHECK(lib_free() == LIB_OK);
    int32_t n;
    CHECK(lib_add(1, 2, &n) == LIB_OK && n == 3);
}

static sigjmp_buf back;

static void on_fault(int signal) {
    (void)signal;
    siglongjmp(back, 1);
}

/* Signals are the host's, between calls. */
static void signals(void) {
    struct sigaction mine = {.sa_handler = on_fault}, now;
    stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536}, stack_now;
    sigemptyset(&mine.sa_mask);
    CHECK(sigaction(SIGSEGV, &mine, NULL) == 0 && sigaltstack(&stack, NULL) == 0);
    lib_list_s32_t list;
    CHECK(lib_numbers(100000000, &list) == LIB_FAILED);
    CHECK(sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_handler == on_fault);
    CHECK(sigaltstack(NULL, &stack_now) == 0 && stack_now.ss_sp == stack.ss_sp && stack_now.ss_size == 65536);
    if (sigsetjmp(back, 1) == 0) {
        *(volatile int *)16 = 1;
        CHECK(!"a fault");
    }
}

int main(void) {
    CHECK(strcmp(lib_error(), "") == 0);
    CHECK(lib_free() == LIB_OK);
    numbers();
    data();
    errors();
    lies();
    memory();
    threads();
    signals();
    CHECK(lib_print("printed", 7) == LIB_OK);
    printf("ok\n");
    return 0;
}

// Functions of C that a program of samlang imports: they are given in structures, answer, fail, and call the program.
#include "lib.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("line %d: %s (%s)\n", __LINE__, #condition, lib_error()); \
            exit(1); \
        } \
    } while (0)

struct host {
    int calls, fails, wrong, inner, drops;
    char said[100];
    char text[200];
};

static int get(void *context, const char *url, size_t length, lib_result_string_string_t *result) {
    struct host *host = context;
    host->calls++;
    if (length >= 3 && !memcmp(url, "bad", 3)) {
        *result = (lib_result_string_string_t){.is_err = true, .value.err = {"no way", 6}};
        return 0;
    }
    if (host->inner) {
        host->inner--;
        lib_string_t inner;
        CHECK(lib_why(url, length, &inner) == LIB_OK);
        // What an inner call has given stays until the outer one is done.
        *result = (lib_result_string_string_t){.value.ok = inner};
        return 0;
    }
    snprintf(host->text, sizeof host->text, "<%.*s>", (int)length, url);
    result->value.ok = (lib_string_t){host->text, strlen(host->text)};
    if (host->wrong) result->value.ok = (lib_string_t){"\xff", 1};
    return 0;
}

static int twice(void *context, int32_t n, int32_t *result) {
    struct host *host = context;
    if (host->fails) return 1;
    if (host->inner && n % 5 == 0) {
        CHECK(lib_sum(n - 1, result) == LIB_OK);
        return 0;
    }
    *result = 2 * n;
    return 0;
}

static int move(void *context, const lib_point_t *points, size_t count, const lib_point_t *by, lib_list_point_t *result) {
    static lib_point_t moved[10];
    struct host *host = context;
    for (size_t i = 0; i < count; i++) moved[i] = (lib_point_t){points[i].x + by->x, points[i].y + by->y};
    *result = (lib_list_point_t){moved, count};
    if (host->wrong) *result = (lib_list_point_t){NULL, 3};
    return 0;
}

static int say(void *context, const char *text, size_t length) {
    struct host *host = context;
    strncat(host->said, text, length);
    return host->fails;
}

static int find(void *context, const char *name, size_t length, lib_option_point_t *result) {
    (void)context, (void)name;
    *result = (lib_option_point_t){length > 0, {(int32_t)length, 7}};
    return 0;
}

static int turn(void *context, const lib_shape_t *shape, lib_shape_t *result) {
    struct host *host = context;
    if (shape->tag == LIB_SHAPE_DOT) {
        *result = (lib_shape_t){.tag = LIB_SHAPE_LINE, .value.line = {{1, 2}, {3, 4}}};
    } else if (shape->tag == LIB_SHAPE_LINE) {
        snprintf(host->text, sizeof host->text, "%d%d%d%d", shape->value.line.f0.x, shape->value.line.f0.y,
                 shape->value.line.f1.x, shape->value.line.f1.y);
        *result = (lib_shape_t){.tag = LIB_SHAPE_LABEL, .value.label = {host->text, strlen(host->text)}};
    } else {
        *result = *shape;
    }
    if (host->wrong) result->tag = 3;
    return 0;
}

static int next(void *context, lib_colour_t colour, lib_colour_t *result) {
    struct host *host = context;
    *result = host->wrong ? 17 : (colour + 1) % 3;
    return 0;
}

static int joined(void *context, const char *a, size_t al, const char *b, size_t bl, const char *c, size_t cl,
                  const char *d, size_t dl, const char *e, size_t el, const char *f, size_t fl, const char *g, size_t gl,
                  const char *h, size_t hl, int32_t i, lib_string_t *result) {
    struct host *host = context;
    snprintf(host->text, sizeof host->text, "%.*s,%.*s,%.*s,%.*s,%.*s,%.*s,%.*s,%.*s,%d", (int)al, a, (int)bl, b, (int)cl,
             c, (int)dl, d, (int)el, e, (int)fl, f, (int)gl, g, (int)hl, h, i);
    *result = (lib_string_t){host->text, strlen(host->text)};
    return 0;
}

static void drop(void *object) { ((struct host *)object)->drops++; }

static int mark(void *context, void *element, void (*element_drop)(void *), int32_t times, lib_element_t *result) {
    struct host *host = context;
    CHECK(element == context && element_drop == drop);
    host->calls += times;
    *result = (lib_element_t){element, drop};
    return 0;
}

static int each(void *context, lib_function_s32_to_s32_t f, int32_t n, int32_t *result) {
    (void)context;
    *result = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t one;
        if (lib_function_s32_to_s32_call(f, i, &one) != LIB_OK) return 1;
        *result += one;
    }
    CHECK(lib_drop(f) == LIB_OK);
    return 0;
}

static int add(void *context, int32_t m, int32_t *result) {
    *result = 10 * (int32_t)(intptr_t)context + m;
    return 0;
}

static int adder(void *context, int32_t n, lib_function_s32_to_s32_t *result) {
    struct host *host = context;
    if (host->wrong) {
        memset(result, 0x55, sizeof *result);
        return 0;
    }
    return lib_function_s32_to_s32_new(add, (void *)(intptr_t)n, NULL, result);
}

static struct host host;

static int32_t expected(int32_t n) {
    return n == 0 ? 0 : (n % 5 == 0 ? expected(n - 1) : 2 * n) + expected(n - 1);
}

static void values(void) {
    int32_t n;
    lib_string_t text;
    CHECK(lib_size("ü€", 5, &n) == LIB_OK && n == 7);
    CHECK(lib_size("bad", 3, &n) == LIB_OK && n == -1);
    CHECK(lib_why("a", 1, &text) == LIB_OK && text.length == 3 && !memcmp(text.data, "<a>", 3));
    CHECK(lib_why("bad", 3, &text) == LIB_OK && text.length == 14 && !memcmp(text.data, "failed: no way", 14));
    CHECK(lib_sum(10, &n) == LIB_OK && n == 110);
    lib_point_t points[2] = {{1, 2}, {3, 4}};
    lib_list_point_t moved;
    CHECK(lib_moved(points, 2, 10, &moved) == LIB_OK && moved.length == 2);
    CHECK(moved.data[0].x == 11 && moved.data[0].y == -8 && moved.data[1].x == 13 && moved.data[1].y == -6);
    host.said[0] = 0;
    CHECK(lib_told("é", 2, &text) == LIB_OK && !strcmp(host.said, "éagain: é"));
    CHECK(lib_found("four", 4, &n) == LIB_OK && n == 4007);
    CHECK(lib_found("", 0, &n) == LIB_OK && n == -1);
    lib_shape_t shape = {.tag = LIB_SHAPE_DOT};
    CHECK(lib_turned(&shape, &shape) == LIB_OK && shape.tag == LIB_SHAPE_LABEL);
    CHECK(shape.value.label.length == 4 && !memcmp(shape.value.label.data, "1234", 4));
    lib_colour_t colour;
    CHECK(lib_after(LIB_COLOUR_BLUE, &colour) == LIB_OK && colour == LIB_COLOUR_RED);
    CHECK(lib_joined("x", 1, 3, &text) == LIB_OK && text.length == 17 && !memcmp(text.data, "x,b,c,d,e,f,g,x,3", 17));
    CHECK(lib_each(3, 5, &n) == LIB_OK && n == 50);
    CHECK(lib_added(7, &n) == LIB_OK && n == 77 + 17);
    lib_element_t element;
    host.calls = host.drops = 0;
    CHECK(lib_marked(&host, drop, 3, &element) == LIB_OK && element.object == &host && host.calls == 6);
    CHECK(lib_free() == LIB_OK);
}

int main(void) {
    int32_t n;
    lib_string_t text;
    lib_list_point_t moved;
    lib_colour_t colour;
    lib_shape_t shape = {.tag = LIB_SHAPE_DOT};
    // Nothing was given.
    CHECK(lib_sum(0, &n) == LIB_OK && n == 0);
    CHECK(lib_sum(1, &n) == LIB_FAILED && strstr(lib_error(), "The host has not given the function `twice` of `net`."));
    lib_net_t net = {get, twice, move, say, find, turn, next, joined, mark};
    CHECK(lib_set_net(&net, &host) == LIB_OK);
    CHECK(lib_added(1, &n) == LIB_FAILED && strstr(lib_error(), "`adder` of `tools`"));
    lib_tools_t tools = {each, adder};
    CHECK(lib_set_tools(&tools, &host) == LIB_OK);
    // It was copied.
    memset(&net, 0, sizeof net);
    values();

    // A function that fails, and one that gives what does not exist.
    host.fails = 1;
    for (int i = 0; i < 3; i++) CHECK(lib_sum(3, &n) == LIB_FAILED && strstr(lib_error(), "A function of the host has failed."));
    CHECK(lib_told("x", 1, &text) == LIB_FAILED);
    host.fails = 0;
    values();
    host.wrong = 1;
    CHECK(lib_why("a", 1, &text) == LIB_FAILED);
    CHECK(!strcmp(lib_error(), "The function `get` of `net` of the host: its result: a text that is not UTF-8"));
    CHECK(lib_moved(NULL, 0, 1, &moved) == LIB_FAILED && strstr(lib_error(), "NULL"));
    CHECK(lib_turned(&shape, &shape) == LIB_FAILED && strstr(lib_error(), "case that does not exist"));
    CHECK(lib_after(LIB_COLOUR_RED, &colour) == LIB_FAILED && strstr(lib_error(), "case that does not exist"));
    CHECK(lib_added(7, &n) == LIB_FAILED && strstr(lib_error(), "function that does not exist"));
    host.wrong = 0;
    values();

    // Calls of the program from there, which call functions, and so on.
    host.inner = 1;
    CHECK(lib_sum(27, &n) == LIB_OK && n == expected(27));
    host.inner = 50;
    CHECK(lib_why("deep", 4, &text) == LIB_OK && text.length == 6 && !memcmp(text.data, "<deep>", 6));
    host.inner = 0;
    for (int i = 0; i < 20000; i++) {
        CHECK(lib_why("text", 4, &text) == LIB_OK && text.length == 6);
        CHECK(lib_free() == LIB_OK);
    }

    // NULL takes them away, and one that is missing is no function either.
    CHECK(lib_set_net(NULL, NULL) == LIB_OK);
    CHECK(lib_sum(1, &n) == LIB_FAILED && strstr(lib_error(), "has not given"));
    net.get = get;
    CHECK(lib_set_net(&net, &host) == LIB_OK);
    CHECK(lib_size("four", 4, &n) == LIB_OK && n == 6);
    CHECK(lib_sum(1, &n) == LIB_FAILED && strstr(lib_error(), "has not given"));
    puts("ok");
    return 0;
}

// Functions of Clean, called from C: what other languages do not have, and errors.
#include "clean.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("line %d: %s (%s)\n", __LINE__, #condition, clean_error()); \
            exit(1); \
        } \
    } while (0)

static int is(clean_string_t text, const char *wanted) {
    return text.length == strlen(wanted) && memcmp(text.data, wanted, text.length) == 0;
}

int main(void) {
    int64_t number;
    for (int round = 0; round < 100; round++) {
        CHECK(clean_twice(21, &number) == CLEAN_OK && number == 42);
        CHECK(clean_add(1, -3, &number) == CLEAN_OK && number == -2);
        double real;
        CHECK(clean_half(5, &real) == CLEAN_OK && real == 2.5);
        uint32_t letter;
        CHECK(clean_following('a', &letter) == CLEAN_OK && letter == 'b');
        clean_string_t text;
        CHECK(clean_greet("World", 5, &text) == CLEAN_OK && is(text, "Hello, World!"));
        clean_list_s64_t list;
        CHECK(clean_up_to(1000, &list) == CLEAN_OK && list.length == 1000 && list.data[999] == 1000);
        CHECK(clean_total(list.data, list.length, &number) == CLEAN_OK && number == 500500);
        CHECK(clean_squares(list.data, list.length, &list) == CLEAN_OK && list.data[999] == 1000000);
        CHECK(clean_primes(&list) == CLEAN_OK && list.length == 10 && list.data[9] == 29);
        clean_list_string_t pieces;
        CHECK(clean_pieces(',', "a,b,,c", 6, &pieces) == CLEAN_OK && pieces.length == 4);
        CHECK(is(pieces.data[1], "b") && pieces.data[2].length == 0);
        bool flags[] = {true, false};
        clean_list_bool_t opposites;
        CHECK(clean_opposites(flags, 2, &opposites) == CLEAN_OK && !opposites.data[0] && opposites.data[1]);
        clean_point_t point = {1, 2, {"p", 1}, 2.5}, turned;
        CHECK(clean_mirror(&point, &turned) == CLEAN_OK && turned.x == 2 && turned.weight == -2.5);
        CHECK(is(turned.name, "p"));
        clean_shape_t shape = {.tag = CLEAN_SHAPE_CIRCLE, .value.circle = {1.5, CLEAN_COLOUR_RED}}, wide;
        CHECK(clean_stretch(2, &shape, &wide) == CLEAN_OK && wide.tag == CLEAN_SHAPE_CIRCLE);
        CHECK(wide.value.circle.f0 == 3 && wide.value.circle.f1 == CLEAN_COLOUR_GREEN);
        clean_result_s64_string_t quotient;
        CHECK(clean_divide(7, 2, &quotient) == CLEAN_OK && !quotient.is_err && quotient.value.ok == 3);
        CHECK(clean_divide(7, 0, &quotient) == CLEAN_OK && quotient.is_err);
        CHECK(is(quotient.value.err, "division by zero"));
        clean_option_s64_t first;
        CHECK(clean_first(NULL, 0, &first) == CLEAN_OK && !first.is_some);
        CHECK(clean_nothing(1) == CLEAN_OK);
        clean_free();
    }
    CHECK(clean_depth(100000, &number) == CLEAN_OK && number == 100000);
    // Errors of the program; what is no type of Clean.
    CHECK(clean_front(NULL, 0, &number) == CLEAN_FAILED && strstr(clean_error(), "does not match"));
    CHECK(clean_stop("Stop.\n", 6, &number) == CLEAN_FAILED && strstr(clean_error(), "Stop."));
    CHECK(clean_cycle(1, &number) == CLEAN_FAILED && strstr(clean_error(), "cycle in spine"));
    clean_string_t text;
    CHECK(clean_bytes(200, &text) == CLEAN_FAILED && strstr(clean_error(), "not UTF-8"));
    uint32_t letter;
    CHECK(clean_following(256, &letter) == CLEAN_FAILED && strstr(clean_error(), "cannot have"));
    clean_colour_t colour;
    CHECK(clean_turn(3, &colour) == CLEAN_FAILED);
    CHECK(clean_turn(CLEAN_COLOUR_BLUE, &colour) == CLEAN_OK && colour == CLEAN_COLOUR_RED);
    puts("ok");
    return 0;
}

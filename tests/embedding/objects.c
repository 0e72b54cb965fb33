// Objects of C that a program of samlang has: each is dropped once, when nobody has it any more, and not before.
#include "lib.h"
#define LAST_ERROR lib_error
#include "check.h"
#include <string.h>

enum { MOST = 100000 };
static int calls_in_drop;
static int32_t unused;
// Nobody may call from here.
#define IN_DROP(own) if (own->drops == 1 && lib_dropped(1, &unused) != LIB_BUSY) calls_in_drop++;
#include "objects.h"

// An object that was not passed after all.
static void back(int number) {
    if (--objects[number].references == 0) alive--;
}

// Lets the program collect its garbage.
static void collect(void) {
    lib_element_t element;
    for (int i = 0; i < 6; i++) CHECK(lib_long(NULL, NULL, 200000, &element) == LIB_OK && element.object == NULL);
    CHECK(lib_free() == LIB_OK);
}

static int choose(void *context, void *one, void (*one_drop)(void *), void *other, void (*other_drop)(void *),
                  lib_element_t *result) {
    CHECK(one_drop == drop && other_drop == drop && one == &objects[2] && other == &objects[1]);
    ++*(int *)context;
    // A new reference to the first one.
    *result = (lib_element_t){get(2), drop};
    // While this runs the arguments are there.
    lib_element_t element;
    for (int i = 0; i < 6; i++) CHECK(lib_long(GIVE(3), 50000, &element) == LIB_OK);
    CHECK(lib_free() == LIB_OK);
    CHECK(objects[1].references > 0 && objects[2].references > 1);
    return 0;
}

static int refuse(void *context, void *one, void (*one_drop)(void *), void *other, void (*other_drop)(void *),
                  lib_element_t *result) {
    (void)context, (void)one, (void)one_drop, (void)other, (void)other_drop, (void)result;
    return 1;
}

static int next(void *context, int32_t n, int32_t *result) {
    *result = n + ((struct object *)context)->references;
    return 0;
}

int main(void) {
    lib_element_t element;
    lib_list_element_t list;
    // They come back, and live until results are freed.
    CHECK(lib_same(GIVE(0), &element) == LIB_OK && element.object == &objects[0] && element.drop == drop);
    CHECK(objects[0].references == 1);
    collect();
    CHECK(alive == 0 && objects[0].drops == 1);
    CHECK(lib_both(GIVE(1), GIVE(1), &list) == LIB_OK && list.length == 2 && list.data[1].object == &objects[1]);
    collect();
    CHECK(alive == 0 && objects[1].drops == 2);

    // In data, in both directions.
    lib_element_t many[1000];
    for (int i = 0; i < 1000; i++) many[i] = (lib_element_t){GIVE(i)};
    lib_option_element_t third;
    CHECK(lib_third(many, 1000, &third) == LIB_OK && third.is_some && third.value.object == &objects[2]);
    collect();
    CHECK(alive == 0 && objects[999].drops == 1);
    lib_named_t named = {{"é", 2}, {GIVE(7)}}, renamed;
    CHECK(lib_renamed(&named, "y", 1, &renamed) == LIB_OK && renamed.element.object == &objects[7]);
    lib_shape_t shape = {LIB_SHAPE_TWO, .value.two = {{GIVE(8)}, {GIVE(9)}}}, swapped;
    CHECK(lib_swap(&shape, &swapped) == LIB_OK && swapped.tag == LIB_SHAPE_TWO);
    CHECK(swapped.value.two.f0.object == &objects[8] && swapped.value.two.f1.object == &objects[9]);
    collect();
    CHECK(alive == 0);

    // A function of the program keeps one.
    lib_function_to_element_t keeper;
    CHECK(lib_keeper(GIVE(4), &keeper) == LIB_OK);
    for (int i = 0; i < 3; i++) {
        collect();
        CHECK(alive == 1 && lib_function_to_element_call(keeper, &element) == LIB_OK && element.object == &objects[4]);
    }
    CHECK(lib_drop(keeper) == LIB_OK);
    collect();
    CHECK(alive == 0 && wrong == 0);

    // Functions of C take and give them; their contexts are dropped, too.
    lib_function_element_element_to_element_t chooser;
    int asked = 0;
    CHECK(lib_function_element_element_to_element_new(choose, &asked, NULL, &chooser) == LIB_OK);
    CHECK(lib_ask(chooser, GIVE(1), GIVE(2), &element) == LIB_OK && element.object == &objects[2] && asked == 1);
    CHECK(lib_drop(chooser) == LIB_OK);
    collect();
    CHECK(alive == 0);
    int32_t n;
    for (int i = 0; i < 1000; i++) {
        lib_function_s32_to_s32_t adder;
        CHECK(lib_function_s32_to_s32_new(next, GIVE(i), &adder) == LIB_OK);
        CHECK(lib_times(adder, 2, &n) == LIB_OK && n == 5 && lib_drop(adder) == LIB_OK);
    }
    collect();
    CHECK(alive == 0 && wrong == 0);

    // By hand.
    CHECK(lib_give_up(GIVE(5)) == LIB_OK && alive == 0 && objects[5].references == 0);
    // (If the call fails the object is the host's, whatever the program has done.)
    CHECK(lib_drop_and_give(GIVE(5), &element) == LIB_FAILED && strstr(lib_error(), "that it has dropped") && alive == 1);
    back(5);

    // A call that fails leaves its arguments to the host, but for those that a function of the host has seen; all else
    // that the program had is dropped.
    CHECK(lib_keeper(GIVE(6), &keeper) == LIB_OK && alive == 1);
    CHECK(lib_fail(GIVE(7), "told", 4, &element) == LIB_FAILED && strcmp(lib_error(), "told") == 0);
    CHECK(objects[6].references == 0 && objects[7].references == 1 && alive == 1);
    back(7);
    CHECK(lib_mixed(GIVE(7), GIVE(8), "\xff", 1, &shape) == LIB_FAILED && alive == 2);
    back(7), back(8);
    CHECK(lib_function_element_element_to_element_new(refuse, NULL, NULL, &chooser) == LIB_OK);
    CHECK(lib_ask(chooser, GIVE(7), GIVE(8), &element) == LIB_FAILED && alive == 2);
    CHECK(lib_free() == LIB_OK && alive == 0);

    // A function that does not exist is an error of the call alone.
    lib_function_s32_to_s32_t adder;
    CHECK(lib_keeper(GIVE(6), &keeper) == LIB_OK && lib_function_s32_to_s32_new(next, GIVE(9), &adder) == LIB_OK);
    lib_function_element_element_to_element_t wrong_ones[] = {NULL, (lib_function_element_element_to_element_t)1, (lib_function_element_element_to_element_t)-1, (lib_function_element_element_to_element_t)((uintptr_t)keeper + 99)};
    for (int i = 0; i < 4; i++) {
        CHECK(lib_ask(wrong_ones[i], GIVE(1), GIVE(2), &element) == LIB_FAILED && alive == 4);
        CHECK(strstr(lib_error(), "does not exist") && lib_drop(wrong_ones[i]) == LIB_FAILED);
        CHECK(lib_function_element_element_to_element_call(wrong_ones[i], GIVE(1), GIVE(2), &element) == LIB_FAILED);
        for (int j = 0; j < 2; j++) back(1), back(2);
        CHECK(lib_function_to_element_call(keeper, &element) == LIB_OK && element.object == &objects[6]);
    }
    CHECK(lib_drop(keeper) == LIB_OK && lib_drop(keeper) == LIB_FAILED && lib_drop(adder) == LIB_OK);
    collect();
    CHECK(alive == 0);

    // Many, and the same memory again.
    for (int round = 0; round < 8; round++) {
        for (int i = 0; i < 3000; i++) CHECK(lib_same(GIVE(i), &element) == LIB_OK);
        collect();
        CHECK(alive == 0);
    }
    CHECK(wrong == 0 && calls_in_drop == 0);
    for (int i = 0; i < 3000; i++) CHECK(objects[i].drops >= 8 && objects[i].references == 0);
    puts("ok");
    return 0;
}

// Objects of C that a program of Clean has: each is dropped once, when nobody has it any more, and not before.
#include "clean.h"
#define LAST_ERROR clean_error
#include "check.h"
#include <string.h>

enum { MOST = 20000 };
#include "objects.h"

// Lets the program collect its garbage.
static void collect(void) {
    clean_element_t element;
    for (int i = 0; i < 12; i++) CHECK(clean_long(NULL, NULL, 200000, &element) == CLEAN_OK && element.object == NULL);
    CHECK(clean_free() == CLEAN_OK);
}

static int choose(void *context, void *one, void (*one_drop)(void *), void *other, void (*other_drop)(void *),
                  clean_element_t *result) {
    CHECK(one_drop == drop && other_drop == drop && one == &objects[2] && other == &objects[1]);
    ++*(int *)context;
    *result = (clean_element_t){get(2), drop};
    // While this runs the arguments are there.
    collect();
    CHECK(objects[1].references > 0 && objects[2].references > 1);
    return 0;
}

int main(void) {
    clean_element_t element;
    clean_list_element_t list;
    CHECK(clean_same(GIVE(0), &element) == CLEAN_OK && element.object == &objects[0] && element.drop == drop);
    CHECK(clean_strictly(GIVE(0), &element) == CLEAN_OK && element.object == &objects[0]);
    collect();
    CHECK(alive == 0 && objects[0].drops == 2);
    CHECK(clean_both(GIVE(1), GIVE(1), &list) == CLEAN_OK && list.length == 2 && list.data[1].object == &objects[1]);
    collect();
    CHECK(alive == 0 && objects[1].drops == 2);

    // A thunk that several ask for gives one object, which is dropped once.
    clean_tuple_element_list_element_element_t shared;
    CHECK(clean_shared(3, GIVE(3), GIVE(4), &shared) == CLEAN_OK);
    CHECK(shared.f0.object == &objects[3] && shared.f2.object == &objects[3] && shared.f1.length == 3);
    CHECK(shared.f1.data[0].object == &objects[3] && shared.f1.data[2].object == &objects[3]);
    collect();
    CHECK(alive == 0 && objects[3].drops == 1 && objects[4].drops == 1);

    // In data, in both directions.
    clean_element_t many[1000];
    for (int i = 0; i < 1000; i++) many[i] = (clean_element_t){GIVE(i)};
    clean_option_element_t third;
    CHECK(clean_third(many, 1000, &third) == CLEAN_OK && third.is_some && third.value.object == &objects[2]);
    collect();
    CHECK(alive == 0 && objects[999].drops == 1);
    for (int i = 0; i < 1000; i++) many[i] = (clean_element_t){GIVE(i)};
    CHECK(clean_lined(many, 1000, &list) == CLEAN_OK && list.length == 1000 && list.data[999].object == &objects[999]);
    collect();
    CHECK(alive == 0 && objects[999].drops == 2);

    // A function of the program keeps one; one of C takes and gives them.
    clean_function_s64_to_element_t keeper;
    CHECK(clean_keeper(GIVE(5), &keeper) == CLEAN_OK);
    for (int i = 0; i < 3; i++) {
        collect();
        CHECK(alive == 1 && clean_function_s64_to_element_call(keeper, i, &element) == CLEAN_OK);
        CHECK(element.object == &objects[5]);
    }
    CHECK(clean_drop(keeper) == CLEAN_OK);
    clean_function_element_element_to_element_t chooser;
    int asked = 0;
    CHECK(clean_function_element_element_to_element_new(choose, &asked, NULL, &chooser) == CLEAN_OK);
    CHECK(clean_ask(chooser, GIVE(1), GIVE(2), &element) == CLEAN_OK && element.object == &objects[2] && asked == 1);
    CHECK(clean_drop(chooser) == CLEAN_OK);
    collect();
    CHECK(alive == 0 && wrong == 0);

    // Given back by hand: the host has it at once.
    bool closed;
    CHECK(clean_closed(GIVE(6), &closed) == CLEAN_OK && closed && alive == 0);
    clean_tuple_bool_bool_t twice;
    CHECK(clean_closed_twice(GIVE(6), &twice) == CLEAN_OK && twice.f0 && !twice.f1 && alive == 0);
    CHECK(clean_closed_own(1, &closed) == CLEAN_OK && closed);
    CHECK(clean_closed_and_given(GIVE(6), &element) == CLEAN_FAILED && strstr(clean_error(), "that it has dropped"));
    // The call has failed: its argument is the host's again.
    CHECK(objects[6].references == 1 && wrong == 0);
    drop(&objects[6]);

    // What the program has made itself is no object of the host.
    CHECK(clean_own(1, &element) == CLEAN_FAILED && strstr(clean_error(), "not of the type that the interface says"));

    // Many, and the same memory again.
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 3000; i++) CHECK(clean_same(GIVE(i), &element) == CLEAN_OK);
        collect();
        CHECK(alive == 0);
    }
    CHECK(wrong == 0);
    for (int i = 0; i < 3000; i++) CHECK(objects[i].drops >= 4 && objects[i].references == 0);
    puts("ok");
    return 0;
}

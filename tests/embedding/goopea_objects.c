// Objects of C that a program of GOOPEA has: each is dropped once, when nobody has it any more, and not before.
#include "goo.h"
#define LAST_ERROR goo_error
#include "check.h"
#include <string.h>

enum { MOST = 1000 };
#include "objects.h"

// Lets the program collect its garbage.
static void collect(void) {
    goo_element_t element;
    for (int i = 0; i < 12; i++) CHECK(goo_long(NULL, NULL, 200000, &element) == GOO_OK && element.object == NULL);
    CHECK(goo_free() == GOO_OK);
}

int main(void) {
    goo_element_t element;
    CHECK(goo_same(GIVE(0), &element) == GOO_OK && element.object == &objects[0] && element.drop == drop);
    CHECK(objects[0].references == 1);
    collect();
    CHECK(alive == 0 && objects[0].drops == 1);
    goo_twice_result_t twice;
    CHECK(goo_twice(GIVE(1), &twice) == GOO_OK && twice.f0.object == &objects[1] && twice.f1.object == &objects[1]);
    collect();
    CHECK(alive == 0 && objects[1].drops == 1);
    int64_t n;
    CHECK(goo_ignored(GIVE(1), &n) == GOO_OK && n == 7);
    collect();
    CHECK(alive == 0 && objects[1].drops == 2);

    goo_element_t many[MOST];
    for (int i = 0; i < MOST; i++) many[i] = (goo_element_t){GIVE(i)};
    goo_list_element_t list;
    CHECK(goo_reversed(many, MOST, &list) == GOO_OK && list.length == MOST && list.data[0].object == &objects[MOST - 1]);
    collect();
    CHECK(alive == 0 && objects[MOST - 1].drops == 1);
    goo_shape_t shape = {GOO_SHAPE_TWO, .value.two = {{GIVE(8)}, {GIVE(9)}}}, turned;
    CHECK(goo_turned(&shape, &turned) == GOO_OK && turned.tag == GOO_SHAPE_TWO);
    CHECK(turned.value.two.f0.object == &objects[8] && turned.value.two.f1.object == &objects[9]);
    collect();
    CHECK(alive == 0 && wrong == 0);

    // A call that fails leaves its arguments to the host.
    CHECK(goo_divided(GIVE(5), 0, &element) == GOO_FAILED && strstr(goo_error(), "division by zero") && alive == 1);
    CHECK(goo_divided(GIVE(5), 5, &element) == GOO_OK && element.object == &objects[5]);
    collect();
    CHECK(objects[5].references == 1 && wrong == 0);
    puts("ok");
    return 0;
}

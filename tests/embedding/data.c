/* Calls `data.ir` from C, on either heap, with collections in between. Prints `ok`. */
#include "data.h"

#define LAST_ERROR data_error
#include "check.h"
#include <string.h>

int main(void) {
    enum { COUNT = 100000 };
    static int32_t numbers[COUNT];
    for (int i = 0; i < COUNT; i++) numbers[i] = i * 7;
    for (int round = 0; round < 200; round++) {
        int32_t sum;
        CHECK(data_add(round, 2, &sum) == DATA_OK && sum == round + 2);
        data_list_s32_t list;
        CHECK(data_list(numbers, COUNT, &list) == DATA_OK && list.length == COUNT);
        CHECK(memcmp(list.data, numbers, sizeof numbers) == 0);
        data_string_t text;
        CHECK(data_text("a text of some length", 21, &text) == DATA_OK && text.length == 21);
        CHECK(memcmp(text.data, "a text of some length", 21) == 0);
        data_point_t point = {round, text}, same;
        CHECK(data_point(&point, &same) == DATA_OK && same.x == round && same.label.length == 21);
        data_option_s32_t option = {true, 5}, found;
        CHECK(data_option(&option, &found) == DATA_OK && found.is_some && found.value == 5);
        data_shape_t shape = {.tag = DATA_SHAPE_LINE, .value = {.line = {3, 4}}}, drawn;
        CHECK(data_shape(&shape, &drawn) == DATA_OK && drawn.tag == DATA_SHAPE_LINE);
        CHECK(drawn.value.line.f0 == 3 && drawn.value.line.f1 == 4);
        CHECK(data_free() == DATA_OK);
        if (round % 50 == 7) CHECK(data_text("\x80", 1, &text) == DATA_FAILED);
    }
    puts("ok");
    return 0;
}

/* Calls `library.goo` from C: what samlang has not. Prints `ok`. */
#include "goo.h"

#define LAST_ERROR goo_error
#include "check.h"
#include <string.h>

int main(void) {
    int64_t numbers[] = {1, -2, (int64_t)1 << 60, 0}, sum;
    CHECK(goo_sum(numbers, 4, &sum) == GOO_OK && sum == ((int64_t)1 << 60) - 1);
    goo_list_s64_t list;
    CHECK(goo_count(3, &list) == GOO_OK && list.length == 3 && list.data[0] == 3 && list.data[2] == 1);
    goo_divide_result_t divided;
    CHECK(goo_divide(-7, 2, &divided) == GOO_OK && divided.f0 == -3 && divided.f1 == -1);
    CHECK(goo_divide(7, 0, &divided) == GOO_FAILED && strstr(goo_error(), "division by zero"));
    CHECK(goo_divide(84, 2, &divided) == GOO_OK && divided.f0 == 42 && divided.f1 == 0);
    goo_tuple_s64_bool_t pair = {5, true}, flipped;
    CHECK(goo_flip(&pair, &flipped) == GOO_OK && flipped.f0 == -5 && !flipped.f1);
    goo_colour_t colour;
    CHECK(goo_next(GOO_COLOUR_BLUE, &colour) == GOO_OK && colour == GOO_COLOUR_RED);
    numbers[1] = (int64_t)1 << 62;
    CHECK(goo_sum(numbers, 2, &sum) == GOO_FAILED && strstr(goo_error(), "too large"));
    CHECK(goo_free() == GOO_OK);
    puts("ok");
    return 0;
}

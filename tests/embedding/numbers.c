/* Calls `numbers.ir` from C: numbers of all kinds, in registers and on the stack. Prints `ok`. */
#include "numbers.h"

#define LAST_ERROR numbers_error
#include "check.h"
#include <string.h>

#define SAME(name, type, value)                                          \
    do {                                                                 \
        type number = value, result = 0;                                 \
        CHECK(numbers_##name(number, &result) == NUMBERS_OK && number == result); \
    } while (0)

int main(void) {
    SAME(bool, bool, false);
    SAME(bool, bool, true);
    SAME(s8, int8_t, INT8_MIN);
    SAME(s8, int8_t, INT8_MAX);
    SAME(u8, uint8_t, UINT8_MAX);
    SAME(s16, int16_t, INT16_MIN);
    SAME(s16, int16_t, INT16_MAX);
    SAME(u16, uint16_t, UINT16_MAX);
    SAME(s32, int32_t, INT32_MIN);
    SAME(u32, uint32_t, UINT32_MAX);
    SAME(s64, int64_t, INT64_MIN);
    SAME(u64, uint64_t, UINT64_MAX);
    SAME(f32, float, 1.5e-40f);
    SAME(f32, float, -3.25f);
    SAME(f64, double, 5e-324);
    SAME(f64, double, -0.1);
    SAME(char, uint32_t, 0x1f600);
    SAME(char, uint32_t, 0xd7ff);
    SAME(shifted, int64_t, -((int64_t)1 << 62));
    uint32_t letter;
    CHECK(numbers_char(0xd800, &letter) == NUMBERS_FAILED && strstr(numbers_error(), "no character"));
    CHECK(numbers_char(0x110000, &letter) == NUMBERS_FAILED && strstr(numbers_error(), "no character"));
    int64_t large;
    CHECK(numbers_shifted((int64_t)1 << 62, &large) == NUMBERS_FAILED && strstr(numbers_error(), "too large"));
    numbers_both_result_t both;
    CHECK(numbers_both(-7, 0.5, &both) == NUMBERS_OK && both.f0 == 0.5 && both.f1 == -7);
    double mixed;
    int64_t q = (int64_t)1 << 40;
    CHECK(numbers_mixed(1, 2.5f, 3, 4, 5, 6, 7, 8, 9, 1.25, 1024.5f, 0.25, 1, 2, 3, 4, q, -1, &mixed) == NUMBERS_OK);
    CHECK(mixed == 1099511627777.0 + 1024.25 + 1.25);
    puts("ok");
    return 0;
}
